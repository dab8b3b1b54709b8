import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";
import { builtSite, serveAssets } from "./built-site.ts";
import { failureLog } from "./failure-log.ts";
import { servePages } from "./pages.ts";

const build = fileURLToPath(new URL("../../build", import.meta.url));

/** Serves the web app: as it was built or, in development, from its sources with hot reload. */
export async function openPages(app: FastifyInstance, deps: Deps): Promise<void> {
  if (deps.config.development) {
    const { serveSources } = await import("./development-site.ts");
    return await serveSources(app, deps);
  }
  await serveAssets(app, build);
  const { production, staging } = deps.config;
  const site = await builtSite(build, { production, staging, logFailure: failureLog(app) });
  servePages(app, deps, async () => site);
}
