import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

const timeoutMs = {
  headers: 5_000,
  body: 6_000,
  upload: 120_000,
  afterResponse: 2_000,
  idle: 6_000,
};
const maxConnections = 5_000;

/** Length of the accept queue. Connections beyond it are retried by the client's kernel after seconds. */
export const backlog = 4_096;

export function serverTimeouts({ trustProxy }: Config) {
  return {
    // Without any byte in either direction.
    connectionTimeout: 30_000,
    requestTimeout: timeoutMs.upload,
    http: { headersTimeout: timeoutMs.headers, connectionsCheckingInterval: 1_000 },
    // Longer than proxies keep idle connections, which is mostly a minute.
    keepAliveTimeout: trustProxy.length > 0 ? 72_000 : timeoutMs.idle,
  };
}

/** Closes the connection of a client that sends its body too slowly, including one already answered. */
export function enforceBodyTimeouts(app: FastifyInstance): void {
  app.server.maxConnections = maxConnections;
  app.addHook("onRequest", async ({ raw, headers }) => {
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined)
      closeUnlessComplete(raw, timeoutMs.body);
  });
  // Not at once: a client that is still sending would lose the response.
  app.addHook("onResponse", async ({ raw }) => closeUnlessComplete(raw, timeoutMs.afterResponse));
}

export function extendBodyTimeout({ raw }: FastifyRequest): void {
  closeUnlessComplete(raw, timeoutMs.upload);
}

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

function closeUnlessComplete(raw: IncomingMessage, delayMs: number): void {
  clearTimeout(deadlines.get(raw));
  if (raw.complete) return;
  const deadline = setTimeout(() => raw.complete || raw.destroy(), delayMs).unref();
  deadlines.set(raw, deadline);
  raw.once("end", () => clearTimeout(deadline));
}
