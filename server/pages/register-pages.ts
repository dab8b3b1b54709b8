import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import type { Deps } from "../deps.ts";
import { registerPageRoutes } from "./pages.ts";
import { createSite, type Site, type SiteSettings } from "./site.ts";

const build = fileURLToPath(new URL("../../build", import.meta.url));

export async function registerPages(app: FastifyInstance, deps: Deps): Promise<void> {
  if (deps.config.development) {
    const { registerSourcePages } = await import("./development-site.ts");
    return await registerSourcePages(app, deps, siteSettings(app, deps));
  }
  await registerAssets(app, build);
  const site = await loadBuiltSite(build, siteSettings(app, deps));
  registerPageRoutes(app, deps, async () => site);
}

export async function loadBuiltSite(folder: string, settings: SiteSettings): Promise<Site> {
  const path = join(folder, "server", "index.js");
  await readFile(path).catch(() => {
    throw new Error("The web app is not built. Run `npm run build`, or start with `npm start`.");
  });
  const build: ServerBuild = await import(pathToFileURL(path).href);
  return createSite(build, { mode: "production", ...settings });
}

async function registerAssets(app: FastifyInstance, folder: string): Promise<void> {
  const root = join(folder, "client");
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    // Compressed files need no routes: `preCompressed` finds them beside the others.
    globIgnore: ["**/*.{br,gz}"],
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(response, path) {
      const hashed = path.startsWith(join(root, "assets"));
      // A service worker obeys the policy of its own response. This policy must let it fetch pages.
      if (path === join(root, "sw.js"))
        response.header("content-security-policy", "default-src 'none'; connect-src 'self'");
      response.header(
        "cache-control",
        hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600",
      );
    },
  });
}

function siteSettings(app: FastifyInstance, { config, identity, shop }: Deps): SiteSettings {
  const { production, staging, s3 } = config;
  return {
    production,
    staging,
    shop,
    photosUrl: s3?.publicUrl,
    usesFirebase: identity.firebase !== null,
    logFailure: (error) => app.log.error({ err: error }, "rendering failed"),
  };
}
