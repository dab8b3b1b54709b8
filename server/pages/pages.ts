import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { PublicCache, type RenderedResponse } from "../public-cache/public-cache.ts";
import { sendCachedResponse } from "../public-cache/send-cached-response.ts";
import { contentSecurityPolicy, type Sources, withoutNonces } from "./content-security-policy.ts";
import type { Site } from "./site.ts";

/**
 * Serves the web app's pages: rendered once, the same for everyone, and kept as bytes until something
 * they show changes. What depends on who you are, or on the query, the browser fills in. What does not
 * exist is answered without rendering (decision 0027).
 */
export function registerPageRoutes(
  app: FastifyInstance,
  deps: Deps,
  load: () => Promise<Site>,
): void {
  const sources = sourcesOf(deps);
  const call = callInProcess(app);
  // Shows nothing that could change.
  const notFound = new PublicCache();
  notFound.setEnabled(!deps.config.development);
  app.route({
    method: "GET",
    url: "/*",
    schema: { hide: true },
    handler: async (request, reply) => {
      // Programs ask there, and want no page.
      if (request.url.startsWith("/api/")) return reply.callNotFound();
      const site = await load();
      const { pathname, search } = urlOf(request);
      const page = site.find(pathname);
      if (!page) {
        const answer = await notFound.get("", () => produce(site, "/404"));
        return sendCachedResponse(answer, request, reply);
      }
      const exists = await page.exists?.(call);
      if (exists !== false && !isAskedBy(page.path, request)) {
        reply.header("cache-control", "public, max-age=3600");
        return reply.redirect(`${page.path}${search}`, 308);
      }
      const path = exists ? page.path : page.template;
      const answer = await deps.publicCache.get(`page ${path}`, () => produce(site, path));
      return sendCachedResponse(answer, request, reply);
    },
  });

  async function produce(site: Site, pathname: string): Promise<RenderedResponse> {
    const address = Object.assign(new URL(deps.config.publicUrl), { pathname });
    const response = await site.render(new Request(address), call);
    const mark = response.headers.get("csp-nonce") ?? "";
    const rendered = { html: await response.text(), mark };
    const headers: Record<string, string> = {
      "content-type": response.headers.get("content-type") ?? "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(rendered, sources),
    };
    const location = response.headers.get("location");
    if (location !== null) headers.location = location;
    return { status: response.status, headers, body: withoutNonces(rendered) };
  }
}

/** Path and query as a browser would read them; two slashes at the beginning are no other host. */
function urlOf({ url }: FastifyRequest): URL {
  const [path = ""] = url.split("#");
  return new URL(`http://here/${path.replace(/^[/\\]+/, "")}`);
}

function isAskedBy(path: string, { url }: FastifyRequest): boolean {
  return url.split(/[?#]/)[0] === path;
}

function sourcesOf({ cards, config }: Deps): Sources {
  const hotReload = config.development;
  const { scriptUrl } = cards.browser;
  if (scriptUrl === null) return { ...stripe, hotReload };
  const standIn = [new URL(scriptUrl).origin];
  return { scripts: standIn, connects: standIn, frames: standIn, hotReload };
}

/** Whom Stripe.js needs to reach (docs.stripe.com/security/guide, Content Security Policy). */
const stripe = {
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  connects: ["https://api.stripe.com"],
  frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
};

/** A `fetch` that asks this very program, without a connection. */
function callInProcess(app: FastifyInstance): typeof fetch {
  return async (input) => {
    const { pathname, search } = new URL(String(input), "http://here");
    const answer = await app.inject({ method: "GET", url: `${pathname}${search}` });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
    return new Response(answer.body, { status: answer.statusCode, headers });
  };
}
