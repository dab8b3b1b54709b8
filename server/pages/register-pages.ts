import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";
import { loadBuiltSite, registerAssets } from "./built-site.ts";
import { registerPageRoutes } from "./pages.ts";
import { siteSettings } from "./site-settings.ts";

const build = fileURLToPath(new URL("../../build", import.meta.url));

/** Serves the built web app or, in development, its sources with hot reload. */
export async function registerPages(app: FastifyInstance, deps: Deps): Promise<void> {
  if (deps.config.development) {
    const { registerSourcePages } = await import("./development-site.ts");
    return await registerSourcePages(app, deps);
  }
  await registerAssets(app, build);
  const site = await loadBuiltSite(build, siteSettings(app, deps));
  registerPageRoutes(app, deps, async () => site);
}
