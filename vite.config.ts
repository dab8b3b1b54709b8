import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/**
 * What pages share comes in a few files of some size. By itself the bundler makes a file of every few lines
 * that two pages share: the first page then asks for 47 of them, and each costs more than it carries.
 */
const fewFiles = {
  groups: [
    { name: "forms", test: /react-hook-form|resolvers|use-checked-form/ },
    { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 30_000 },
  ],
};

export default defineConfig({
  publicDir: "web/public",
  plugins: [
    tailwindcss(),
    reactRouter(),
    sonnerWithoutInlineStyles(),
    routerWithoutReload(),
    compressedBeside(),
  ],
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: fewFiles } } } } },
  // All pages are looked through at the start, so that a newly met package does not reload the browser.
  optimizeDeps: { entries: ["web/root.tsx", "web/pages/*.tsx"], exclude: ["sonner"] },
});

/**
 * Sonner adds its styles to the page when its module loads, which our content policy refuses. We import
 * its stylesheet as a file instead (web/ui/Toaster.tsx) and drop the call that adds them.
 */
function sonnerWithoutInlineStyles(): Plugin {
  return {
    name: "sonner-without-inline-styles",
    transform: {
      filter: { id: /sonner\/dist\/index\.mjs/ },
      handler(code) {
        const styles = /^__insertCSS\(".*"\);?$/m;
        if (!styles.test(code)) this.error("Sonner changed how it adds its styles.");
        return { code: code.replace(styles, ""), map: null };
      },
    },
  };
}

/**
 * Where a page's script cannot be fetched, React Router reloads the page one is on, and with it goes what was
 * typed there, even when one has only looked towards a link. Ours stays: what is fetched ahead may fail, and
 * going there ends on the error screen (web/features/site/ErrorScreen.tsx).
 */
function routerWithoutReload(): Plugin {
  let isMended = false;
  return {
    name: "router-without-reload",
    apply: "build",
    transform: {
      filter: { id: /react-router\/dist\/\w+\/lib\/dom\/ssr\/routeModules\.js/ },
      handler(code) {
        const reloads = /console\.error\(`Error loading.+?return new Promise\(\(\) => \{\}\);/s;
        isMended = reloads.test(code);
        return { code: code.replace(reloads, notFetchedPage), map: null };
      },
    },
    buildEnd() {
      if (!isMended) this.error("React Router changed how it fetches pages.");
    },
  };
}

/** The router keeps this as the page for good, so whoever comes a second time is brought there by the browser. */
const notFetchedPage = `
  let visit;
  return {
    clientLoader: () => undefined,
    default() {
      visit ??= history.state?.key;
      if (visit !== history.state?.key) location.reload();
      throw Object.assign(new Error(route.module), { name: "PageNotFetched", cause: error });
    },
  };
`;

/** Puts a brotli and a gzip version beside every text file of the browser's build, for the server to send. */
function compressedBeside(): Plugin {
  return {
    name: "compressed-beside",
    apply: "build",
    // Only the server's build, which comes second, puts the list of routes among the browser's files.
    applyToEnvironment: ({ name }) => name === "ssr",
    async writeBundle() {
      const dir = "build/client";
      const compressing: Promise<void>[] = [];
      for await (const file of glob("**/*.{js,css,svg,webmanifest}", { cwd: dir })) {
        compressing.push(compress(join(dir, file)));
      }
      await Promise.all(compressing);
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes), promisify(gzip)(bytes)]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}
