import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** The maximum number of open connections. Half of them may be event streams. */
const maxConnections = 10_000;

/** Length of the accept queue. If it is full, the client's kernel retries only after seconds. */
export const backlog = 4_096;

export function serverTimeouts({ trustProxy, httpTimeouts }: Config) {
  return {
    connectionTimeout: httpTimeouts.silence,
    requestTimeout: httpTimeouts.upload,
    http: {
      headersTimeout: httpTimeouts.headers,
      connectionsCheckingInterval: httpTimeouts.check,
    },
    // Must be longer than proxies keep idle connections, which is usually a minute.
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
  // Waits, because a client that is still sending would lose the response.
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
