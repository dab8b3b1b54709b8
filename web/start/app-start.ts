import type { EntryContext } from "react-router";
import type { AppStart } from "./early-input.ts";

/** The page carries this data as a JSON block instead of React Router's scripts. */
export async function takeAppStart(context: EntryContext): Promise<AppStart> {
  const { manifest, routeModules, staticHandlerContext, serverHandoffStream } = context;
  const state = await new Response(serverHandoffStream).text();
  // Otherwise `ServerRouter` would render the stream too.
  Object.assign(context, { serverHandoffStream: undefined });
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  const routes = ids.flatMap((id) => manifest.routes[id] ?? []);
  const imports = [manifest.entry, ...routes].flatMap(({ module, imports = [] }) => [
    module,
    ...imports,
  ]);
  return {
    isEager: ids.some((id) => isEager(routeModules[id]?.handle)),
    manifest: manifest.url,
    entry: manifest.entry.module,
    routes: Object.fromEntries(routes.map(({ id, module }) => [id, module])),
    preload: [...new Set([manifest.url, ...imports])],
    context: JSON.parse(context.serverHandoffString ?? "{}"),
    state,
  };
}

function isEager(handle: unknown): boolean {
  return handle instanceof Object && "isEager" in handle && handle.isEager === true;
}

/** Prefetches a link's document on hover, because links load documents until the app starts. */
export const speculationRules = {
  prefetch: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          {
            not: {
              href_matches: [
                "/dashboard*",
                "/categoryProducts/*",
                "/search*",
                "/compare*",
                "/api/*",
                "/images/*",
              ],
            },
          },
        ],
      },
      eagerness: "moderate",
    },
  ],
};
