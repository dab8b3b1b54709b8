import type { Plugin } from "vite";

/**
 * Leaves out of the browser's build what React Router has for settings we don't use: lazy route discovery
 * (`react-router.config.ts`) and instrumentation. If another version imports more of them, the build fails.
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

/** Each does what the original does without its setting. */
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

/** Exports that only other unused parts import. */
function noValue(...names: string[]): string {
  return names.map((name) => `export const ${name} = undefined;`).join("\n");
}
