import type { FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";
import { sendPublic } from "../send-public.ts";
import { contentPolicy, type Sources } from "./policy.ts";

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
      const { pathname } = new URL(request.url, "http://here");
      const page = await deps.publicCache.read(`page ${pathname}`, async () => {
        const response = await render(new Request(new URL(pathname, deps.config.publicUrl)), call);
        const body = await response.text();
        const headers: Record<string, string> = {
          "content-type": response.headers.get("content-type") ?? "text/html; charset=utf-8",
          "content-security-policy": contentPolicy(body, sources),
        };
        const location = response.headers.get("location");
        if (location !== null) headers.location = location;
        return { status: response.status, headers, body };
      });
      return sendPublic(page, request, reply);
    },
  });
}

function sourcesOf({ cards, config }: Deps): Sources {
  const hotReload = config.development;
  const { scriptUrl } = cards.browser;
  if (scriptUrl !== null)
    return { cards: [new URL(scriptUrl).origin], frames: [], images: [], hotReload };
  const stripe = ["https://js.stripe.com", "https://api.stripe.com"];
  return { cards: stripe, frames: ["https://hooks.stripe.com"], images: [], hotReload };
}

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
