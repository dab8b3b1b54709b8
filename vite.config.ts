import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { iconSprite } from "./web/vite/icon-sprite.ts";
import { pageLoader } from "./web/vite/page-loader.ts";

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
  plugins: [tailwindcss(), reactRouter(), iconSprite(), pageLoader(), compressedBeside()],
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
