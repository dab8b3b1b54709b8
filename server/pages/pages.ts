import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { cacheTags } from "#contract/cache-tags.ts";
import type { Deps } from "../deps.ts";
import { Overloaded } from "../errors.ts";
import {
  contentSecurityPolicy,
  sourcesOf,
  withoutNonces,
} from "../http/content-security-policy.ts";
import { handleError } from "../http/error-handler.ts";
import { uncacheable } from "../http/security-headers.ts";
import {
  type CachedResponse,
  type RenderedResponse,
  sendCachedResponse,
} from "../public-cache/cached-response.ts";
import { currentRender, runAsRender } from "../public-cache/renders.ts";
import type { Lookup, Page, Site } from "./site.ts";

/**
 * Renders a page once for all visitors and caches it until its data changes (decisions/pages). The
 * browser adds what depends on the visitor. A page whose HTML depends on the query is not cached.
 * All unknown paths share one page.
 */
export function registerPageRoutes(
  app: FastifyInstance,
  deps: Deps,
  load: () => Promise<Site>,
): void {
  const { publicCache } = deps;
  const sources = sourcesOf(deps);
  const call = fetchInProcess(app);
  app.route({
    method: "GET",
    url: "/*",
    schema: { hide: true },
    errorHandler: handlePageError,
    handler: async (request, reply) => {
      // Unknown API paths get a JSON error, not a page.
      if (isApi(request)) return reply.callNotFound();
      const site = await load();
      const { pathname, search } = urlOf(request);
      const page = site.find(pathname);
      if (!page) {
        publicCache.addresses.add(pathOf(request), { key: keyOf("/404"), route: "/*" });
        return await send("/404", request, reply);
      }
      const found = await lookUpNow(page, request.ip);
      if (found?.status === 404) return await send(page.template, request, reply);
      if (found?.status === 410) return await send(page.gone, request, reply);
      const canonical = found?.path ?? page.path;
      if (pathOf(request) !== canonical) {
        // A redirect to a path with a laptop's name isn't cached: the name can change back.
        reply.header("cache-control", found?.path ? "private, no-cache" : "public, max-age=3600");
        return reply.redirect(`${canonical}${search}`, 308);
      }
      if (page.readsQuery(search))
        return await sendUncached(`${canonical}${search}`, request, reply);
      const path = found ? canonical : page.template;
      const { readsQuery } = page;
      publicCache.addresses.add(canonical, { key: keyOf(path), route: "/*", readsQuery });
      return await send(path, request, reply);
    },
  });

  async function send(path: string, request: FastifyRequest, reply: FastifyReply) {
    const render = async () => await produce(await load(), path);
    const options = { reader: request.ip, queue: "pages" } as const;
    return await sendOrBusy(publicCache.get(keyOf(path), render, options), request, reply);
  }

  async function sendUncached(address: string, request: FastifyRequest, reply: FastifyReply) {
    const render = async () => {
      const page = await produce(await load(), address);
      return { ...page, headers: { ...page.headers, "cache-control": "private, no-cache" } };
    };
    return await sendOrBusy(publicCache.renderPage(render, request.ip), request, reply);
  }

  async function lookUpNow({ lookUp }: Page, reader: string): Promise<Lookup | undefined> {
    if (!lookUp) return undefined;
    return (await runAsRender(() => lookUp(call), reader)).result;
  }

  async function produce(site: Site, path: string): Promise<RenderedResponse> {
    const { pathname, search } = new URL(path, "http://here");
    const address = Object.assign(new URL(deps.config.publicUrl), { pathname, search });
    const response = await site.render(new Request(address), call);
    if (response.status >= 500 && currentRender()?.unavailable) return retryPage(noRecords);
    const nonce = response.headers.get("csp-nonce") ?? "";
    const rendered = { html: await response.text(), nonce };
    const headers: Record<string, string> = {
      "content-type": response.headers.get("content-type") ?? "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(rendered, sources),
    };
    const location = response.headers.get("location");
    if (location !== null) headers.location = location;
    const tags = [cacheTags.shop];
    return { status: response.status, headers, body: withoutNonces(rendered), tags };
  }
}

/** Sends a page, not JSON, to a visitor who exceeds the rate limit. */
function handlePageError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error.statusCode !== 429 || isApi(request)) return handleError(error, request, reply);
  request.errorCode = "TOO_MANY_REQUESTS";
  const retryAfter = Number(reply.getHeader("retry-after"));
  return sendRetryPage(reply, { ...rateLimited, retryAfter });
}

async function sendOrBusy(
  rendering: Promise<CachedResponse>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    return await sendCachedResponse(await rendering, request, reply);
  } catch (error) {
    if (!(error instanceof Overloaded)) throw error;
    const { message, retryAfter } = error;
    return sendRetryPage(reply, { ...busy, message, retryAfter });
  }
}

function sendRetryPage(reply: FastifyReply, reason: RetryReason) {
  const { status, headers, body } = retryPage(reason);
  return reply.code(status).headers(headers).send(body);
}

const busy = { status: 503, heading: "We are busy" };

const noRecords = {
  ...busy,
  message: "We can't reach our records for the moment. This page tries again by itself.",
  retryAfter: 2,
};

const rateLimited = {
  status: 429,
  heading: "Too many requests",
  message: "Please wait a minute. This page tries again by itself.",
};

function isApi({ url }: FastifyRequest): boolean {
  return url.startsWith("/api/");
}

function keyOf(path: string): string {
  return `page ${path}`;
}

/** Parses the URL as a browser would. Leading slashes are removed: they could name another host. */
function urlOf({ url }: FastifyRequest): URL {
  const [path = ""] = url.split("#");
  return new URL(`http://here/${path.replace(/^[/\\]+/, "")}`);
}

/** The path as the client wrote it. */
function pathOf({ url }: FastifyRequest): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

/**
 * Returns a `fetch` that calls the app with the visitor's IP address, for the fair queues, and that
 * marks the render if the response is a server error.
 */
function fetchInProcess(app: FastifyInstance): typeof fetch {
  return async (input) => {
    const { pathname, search } = new URL(String(input), "http://here");
    const render = currentRender();
    const remoteAddress = render?.reader ?? "127.0.0.1";
    const url = `${pathname}${search}`;
    const answer = await app.inject({ method: "GET", url, remoteAddress });
    if (render && answer.statusCode >= 500) render.failed = true;
    if (render && answer.statusCode === 503) render.unavailable = true;
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
    return new Response(answer.body, { status: answer.statusCode, headers });
  };
}

/** `retryAfter` is in seconds. */
type RetryReason = { status: number; heading: string; message: string; retryAfter: number };

/** Avoids React, because the server may be overloaded. */
function retryPage({ status, heading, message, retryAfter }: RetryReason): RenderedResponse {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${retryAfter}">
<title>${heading}</title>
<h1>${heading}</h1>
<p>${message}</p>
</html>
`;
  const headers = {
    "retry-after": String(retryAfter),
    "cache-control": uncacheable,
    "content-type": "text/html; charset=utf-8",
  };
  return { status, headers, body };
}
