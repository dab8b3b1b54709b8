import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { networkOf } from "../db/rate-limiter.ts";
import { AppError } from "../errors.ts";
import { RunningCounts } from "../running-counts.ts";

/** Event streams may use half of the connections (`features/messages/event-streams.ts`). */
const maxConnections = 10_000;

/** If the accept queue is full, a client's kernel waits for seconds before it retries. */
export const backlog = 4_096;

export function serverTimeouts({ trustProxy, httpTimeouts }: Config) {
  return {
    connectionTimeout: httpTimeouts.silence,
    requestTimeout: httpTimeouts.upload,
    http: {
      headersTimeout: httpTimeouts.headers,
      connectionsCheckingInterval: httpTimeouts.check,
    },
    // Must exceed the time for which proxies keep idle connections, usually a minute.
    keepAliveTimeout: trustProxy.length > 0 ? 72_000 : httpTimeouts.idle,
  };
}

/** Closes the connection of a client that sends a body too slowly, even after the response. */
export function enforceBodyTimeouts(app: FastifyInstance, { httpTimeouts }: Config): void {
  app.server.maxConnections = maxConnections;
  app.addHook("onRequest", async ({ raw, headers }) => {
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined)
      closeUnlessComplete(raw, httpTimeouts.body);
  });
  // Closes the connection only after a while: a client that still sends would lose the response.
  app.addHook("onResponse", async ({ raw }) =>
    closeUnlessComplete(raw, httpTimeouts.afterResponse),
  );
}

export function extendBodyTimeout({ raw }: FastifyRequest, { httpTimeouts }: Config): void {
  closeUnlessComplete(raw, httpTimeouts.upload);
}

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

function closeUnlessComplete(raw: IncomingMessage, delayMs: number): void {
  clearTimeout(deadlines.get(raw));
  if (raw.complete) return;
  const deadline = setTimeout(() => raw.complete || raw.destroy(), delayMs).unref();
  deadlines.set(raw, deadline);
  raw.once("end", () => clearTimeout(deadline));
}

/** Enough for many browsers behind one router. */
export const maxConnectionsPerAddress = 256;

/** Limits each IPv4 address or IPv6 /64 network, except trusted proxies with their many clients. */
export function limitConnections(
  server: Server,
  { rateLimit, trustProxy }: Pick<Config, "rateLimit" | "trustProxy">,
): void {
  if (!rateLimit) return;
  const isProxy = proxyAddr.compile(trustProxy);
  const open = new RunningCounts();
  server.prependListener("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const network = networkOf(remoteAddress);
    if (open.of(network) >= maxConnectionsPerAddress) return reject(socket);
    socket.once("close", open.begin(network));
  });
}

function reject(socket: Socket): void {
  // The client may close the connection first, which causes an error.
  socket.on("error", () => {});
  socket.end(refusal);
  socket.destroySoon();
}

const refusalBody = JSON.stringify({
  message: "Too many connections are open from your address. Please close some and try again.",
  code: "TOO_MANY_REQUESTS",
});
const refusal = [
  "HTTP/1.1 429 Too Many Requests",
  "content-type: application/json; charset=utf-8",
  `content-length: ${refusalBody.length}`,
  "retry-after: 10",
  "connection: close",
  "",
  refusalBody,
].join("\r\n");

/** In bytes. A call's `maxBodyBytes` and the limits on uploads override this default. */
export const maxBodyBytes = 64 * 1024;

/** Far more than the contract's bodies need. */
const maxDepth = 20;

/** Rejects deeply nested JSON, which could overflow the stack of a recursive function. */
export function limitJsonDepth(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = String(body);
    if (depthOf(text) <= maxDepth) return parse(request, text, done);
    done(new AppError("BAD_REQUEST", "The body is nested too deeply."));
  });
}

function depthOf(json: string): number {
  let [depth, max, inString] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (inString && char === "\\") at += 1;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === "{" || char === "[")) max = Math.max(max, ++depth);
    else if (!inString && (char === "}" || char === "]")) depth -= 1;
  }
  return max;
}
