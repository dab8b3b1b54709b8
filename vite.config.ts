import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { iconSprite } from "./web/vite/icon-sprite.ts";
import { pageLoader } from "./web/vite/page-loader.ts";
import { plainContract } from "./web/vite/plain-contract.ts";

/**
 * What pages share comes in a few files of some size. By itself the bundler makes a file of every few lines
 * that two pages share: the first page then asks for 47 of them, and each costs more than it carries.
 */
const fewFiles = {
  groups: [
    { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
    { name: "router", test: /node_modules\/react-router\//, priority: 3 },
    { name: "queries", test: /node_modules\/@tanstack\//, priority: 3 },
    { name: "calls", test: isOfCalls, priority: 2 },
    { name: "forms", test: isOfForms, priority: 1 },
    {
      name: "shared",
      test: isNotOfFewPages,
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 8_000,
    },
  ],
};

/** Making calls: our client, and the contract without its schemas (`web/vite/plain-contract.ts`). */
function isOfCalls(file: string): boolean {
  return /plain-contract:|\/contract\/(call-resources|client|image-sources|price|property|roles|safe-)|\/web\/(paths|api\/(?!upload-photo|prefetch|server-)[\w-]+|ui\/(drafts|toast|use-hydrated|Button))\.tsx?$/.test(
    file,
  );
}

/** What only forms need: the form library, zod, and the contract's schemas. */
function isOfForms(file: string): boolean {
  return /react-hook-form|@hookform|\/zod\/|\/contract\/|\/(FormField|use-zod-form|form-errors|CurrentPasswordField|totp-code|upload-photo)\.tsx?$/.test(
    file,
  );
}

/** What only a few pages need is not merged into files that many load. */
function isNotOfFewPages(file: string): boolean {
  return !/\/(SearchForm|search-page|MembersTable|MemberActions|member-lists|DemoInbox|ConfirmIdentity|passkeys|second-factor)\.tsx?$/.test(
    file,
  );
}

export default defineConfig({
  publicDir: "web/public",
  plugins: [
    plainContract(),
    tailwindcss(),
    reactRouter(),
    iconSprite(),
    pageLoader(),
    compressedBeside(),
  ],
  // Shared files may import each other; without strictExecutionOrder one could run before what it extends.
  environments: {
    // Bundled with its packages, so that React runs as built for production whatever NODE_ENV is at the start.
    ssr: { resolve: { noExternal: true } },
    client: {
      build: {
        rolldownOptions: { output: { codeSplitting: fewFiles, strictExecutionOrder: true } },
      },
    },
  },
  // All pages are looked through at the start, so that a newly met package does not reload the browser.
  optimizeDeps: { entries: ["web/root.tsx", "web/pages/*.tsx"] },
});

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
