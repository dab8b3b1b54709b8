import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { previewCookie } from "#contract/shop.ts";
import { newRequestId } from "../db/request-id.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { chooseEncoding, type EncodedResponse } from "./cached-response.ts";
import type { PublicCache } from "./public-cache.ts";

type Options = {
  publicCache: PublicCache;
  metrics: Pick<Metrics, "requests">;
  config: { rateLimit: boolean; trustProxy: string[] };
};

/**
 * Answers cached GET requests before Fastify, with the same headers, rate limit and log line.
 * While the server closes, Fastify gets all requests.
 */
export function serveHits(app: FastifyInstance, { publicCache, config, metrics }: Options): void {
  const [handle] = app.server.listeners("request") as RequestListener[];
  if (!handle) throw new Error("Fastify has no request listener.");
  const isTrusted = proxyAddr.compile(config.trustProxy);
  const addressOf = (request: IncomingMessage) => proxyAddr(request, isTrusted);
  const limiter = config.rateLimit ? app.createRateLimit() : undefined;
  const logsRequests = ["info", "debug", "trace"].includes(app.log.level);
  const headersOf = headerCache(app.securityHeaders);
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.server.removeListener("request", handle);
  app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const hit = findHit(request);
    if (!hit) return handle(request, response);
    if (logsRequests) logWhenSent(request, response, hit.route);
    if (limiter) void sendIfAllowed(request, response, hit);
    else answer(response, hit, []);
  });

  function findHit(request: IncomingMessage): Hit | undefined {
    if (request.method !== "GET" || closing) return undefined;
    const address = publicCache.addresses.find(request.url ?? "");
    const cached = address && publicCache.hit(address.key);
    if (!cached || needsFastify(request)) return undefined;
    const encoded = cached.encoded(chooseEncoding(request.headers["accept-encoding"]));
    if (!encoded) return undefined;
    const { full, notModified } = headersOf(encoded);
    const { route } = address;
    return cached.matches(request.headers["if-none-match"])
      ? { route, status: 304, headers: notModified, bytes: undefined }
      : { route, status: cached.status, headers: full, bytes: encoded.bytes };
  }

  /** Passes requests beyond the rate limit to Fastify, which rejects them. */
  async function sendIfAllowed(request: IncomingMessage, response: ServerResponse, hit: Hit) {
    const { socket } = request;
    const counted = { ip: addressOf(request), socket, routeOptions: { config: {} } };
    const limit = await limiter?.(counted as unknown as FastifyRequest);
    if (!limit || limit.isAllowed) return answer(response, hit, []);
    if (limit.isExceeded) return handle?.(request, response);
    const { max, remaining, ttlInSeconds } = limit;
    answer(response, hit, [
      "x-ratelimit-limit",
      String(max),
      "x-ratelimit-remaining",
      String(remaining),
      "x-ratelimit-reset",
      String(ttlInSeconds),
    ]);
  }

  function answer(response: ServerResponse, hit: Hit, more: string[]): void {
    const { route, status, headers, bytes } = hit;
    response.writeHead(status, more.length === 0 ? headers : [...headers, ...more]).end(bytes);
    publicCache.requests.hits += 1;
    metrics.requests.countHit(route, status);
  }

  function logWhenSent(request: IncomingMessage, response: ServerResponse, route: string): void {
    const began = performance.now();
    const { method } = request;
    const reqId = newRequestId();
    const req = { method, routeOptions: { url: route }, ip: addressOf(request) };
    response.once("finish", () => {
      const line = { reqId, req, res: { statusCode: response.statusCode } };
      app.log.info({ ...line, responseTime: performance.now() - began }, "request completed");
    });
  }
}

type Hit = { route: string; status: number; headers: string[]; bytes: Buffer | undefined };

function needsFastify({ headers, rawHeaders }: IncomingMessage): boolean {
  const hasBody = "content-length" in headers || "transfer-encoding" in headers;
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  return hasBody || hosts.length !== 1 || Boolean(headers.cookie?.includes(previewCookie));
}

/** Builds headers only once per encoded response, as a flat array, which Node writes quickly. */
function headerCache(securityHeaders: Record<string, string>) {
  type Flat = { full: string[]; notModified: string[] };
  const known = new WeakMap<EncodedResponse, Flat>();
  return (encoded: EncodedResponse): Flat => {
    const found = known.get(encoded);
    if (found) return found;
    const headers = { ...securityHeaders, ...encoded.headers };
    const { "content-encoding": _, ...notModified } = headers;
    const length = { "content-length": String(encoded.bytes.length) };
    const flat = {
      full: Object.entries({ ...headers, ...length }).flat(),
      notModified: Object.entries(notModified).flat(),
    };
    known.set(encoded, flat);
    return flat;
  };
}
