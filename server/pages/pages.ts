import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { sendPublic } from "../send-public.ts";
import { contentPolicy, type Sources, withoutMarks } from "./policy.ts";

/** Renders a page of the web app; its loaders make calls of ours through `call`. */
export type RenderPage = (request: Request, call: typeof fetch) => Promise<Response>;

/**
 * Serves the web app's pages: rendered once, the same for everyone, and kept as bytes until something
 * they show changes. What depends on who you are, or on the query, the browser fills in.
 */
export function servePages(app: FastifyInstance, deps: Deps, render: RenderPage): void {
  const sources = sourcesOf(deps);
  const call = callInProcess(app);
  app.route({
    method: "GET",
    url: "/*",
    schema: { hide: true },
    handler: async (request, reply) => {
      // Programs ask there, and want no page.
      if (request.url.startsWith("/api/")) return reply.callNotFound();
      const pathname = pathOf(request);
      const page = await deps.publicCache.read(`page ${pathname}`, async () => {
        const address = Object.assign(new URL(deps.config.publicUrl), { pathname });
        const response = await render(new Request(address), call);
        const mark = response.headers.get("script-mark") ?? "";
        const rendered = { html: await response.text(), mark };
        const headers: Record<string, string> = {
          "content-type": response.headers.get("content-type") ?? "text/html; charset=utf-8",
          "content-security-policy": contentPolicy(rendered, sources),
        };
        const location = response.headers.get("location");
        if (location !== null) headers.location = location;
        return { status: response.status, headers, body: withoutMarks(rendered) };
      });
      return sendPublic(page, request, reply);
    },
  });
}

/** The path alone, as a browser would read it; two slashes at its beginning are no other host. */
function pathOf({ url }: FastifyRequest): string {
  const [path = ""] = url.split(/[?#]/);
  return new URL(`http://here/${path.replace(/^[/\\]+/, "")}`).pathname;
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
