import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";

type Route = Record<string, unknown> & { imports?: string[] };
type Manifest = { entry: { imports: string[] }; routes: Record<string, Route> };

const start = "window.__reactRouterManifest=";

/**
 * Cuts React Router's list of routes, which every page loads, to what browsers read. A missing
 * property is treated as false. On load, each route gets its key as its id.
 */
export async function shrinkManifest(dir: string): Promise<void> {
  for await (const file of glob("assets/manifest-*.js", { cwd: dir })) {
    const path = join(dir, file);
    const text = await readFile(path, "utf8");
    const manifest: Manifest = JSON.parse(text.slice(start.length).replace(/;\s*$/, ""));
    const routes = Object.fromEntries(
      Object.entries(manifest.routes).map(([id, route]) => [id, shrink(route, manifest)]),
    );
    const list = `${start}${JSON.stringify({ ...manifest, routes })}`;
    await writeFile(path, `for(let[id,route]of Object.entries((${list}).routes))route.id=id;`);
  }
}

function shrink(route: Route, { entry }: Manifest): Route {
  const { id, hasDefaultExport, ...read } = route;
  const imports = route.imports?.filter((file) => !entry.imports.includes(file)).sort();
  const properties: [string, unknown][] = Object.entries({ ...read, imports });
  return Object.fromEntries(properties.filter(([, value]) => value !== false));
}

/**
 * Removes unused parts of React Router from the browser's build: lazy route discovery
 * (`react-router.config.ts`) and instrumentation. The build fails if a new version imports more.
 */
export function unusedRouterParts(): Plugin {
  return {
    name: "unused-router-parts",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    load(id) {
      const part = Object.keys(replacements).find((path) => id.endsWith(path));
      return part && replacements[part];
    },
  };
}

const lib = "/react-router/dist/production/lib";

/** Each replacement behaves as the original part does when it is turned off. */
const replacements: Record<string, string> = {
  [`${lib}/dom/ssr/fog-of-war.js`]: `
    export const isFogOfWarEnabled = () => false;
    export const getPartialManifest = (manifest) => manifest;
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const useFogOFWarDiscovery = () => undefined;
    ${noValue("getManifestPath", "getPathsWithAncestors", "handleClientVersionMismatch")}`,
  [`${lib}/router/instrumentation.js`]: `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;
    ${noValue("instrumentHandler", "instrumentationResultMetaContext")}`,
};

/** Defines exports that only other unused parts import. */
function noValue(...names: string[]): string {
  return names.map((name) => `export const ${name} = undefined;`).join("\n");
}
