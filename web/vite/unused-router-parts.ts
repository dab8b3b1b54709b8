import type { Plugin } from "vite";

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
