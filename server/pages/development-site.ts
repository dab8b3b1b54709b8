import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import { createServer } from "vite";
import type { Deps } from "../deps.ts";
import { registerPageRoutes } from "./pages.ts";
import { createSite, type SiteSettings } from "./site.ts";

/** Serves the web app from its sources with hot reload, for development only. */
export async function registerSourcePages(
  app: FastifyInstance,
  deps: Deps,
  settings: SiteSettings,
): Promise<void> {
  const vite = await createServer({
    appType: "custom",
    server: { middlewareMode: { server: app.server }, hmr: { server: app.server } },
  });
  app.addHook("onClose", () => vite.close());
  app.addHook("onRequest", async (request, reply) => {
    if (request.url.startsWith("/api/") || request.url.startsWith("/images/")) return;
    await new Promise<void>((next) => {
      reply.raw.once("close", next);
      vite.middlewares(request.raw, reply.raw, () => next());
    });
    if (reply.raw.writableEnded) reply.hijack();
  });
  deps.publicCache.isEnabled = false;
  registerPageRoutes(app, deps, async () => {
    const build = await vite.ssrLoadModule("virtual:react-router/server-build");
    return createSite(build as ServerBuild, { mode: "development", ...settings });
  });
}
