import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";

/** `virtual:page-loader` is the code of `web/start/page-loader.ts` as one small script. */
export function pageLoader(): Plugin {
  const id = "\0virtual:page-loader";
  const entry = fileURLToPath(new URL("../start/page-loader.ts", import.meta.url));
  return {
    name: "page-loader",
    resolveId: (source) => (source === "virtual:page-loader" ? id : undefined),
    async load(loaded) {
      if (loaded !== id) return undefined;
      this.addWatchFile(entry);
      return `export default ${JSON.stringify(await bundle(entry))}`;
    },
  };
}

async function bundle(entry: string): Promise<string> {
  const [built] = (await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: { write: false, lib: { entry, formats: ["iife"], name: "loader" } },
  })) as Rolldown.RolldownOutput[];
  return built?.output[0].code.trim() ?? "";
}
