import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** How long, in milliseconds, a client may take to send what it sends, and how many may be connected. */
const patience = { headers: 5_000, body: 6_000, upload: 120_000, answered: 2_000, idle: 6_000 };
const mostConnections = 5_000;

/**
 * How many of a crowd that comes at once wait to be let in. The system lets the rest knock again for
 * seconds, and some of them give up.
 */
export const backlog = 4_096;

/** The settings of an HTTP server that waits for nobody for long. */
export function serverTimeouts({ trustProxy }: Config) {
  return {
    // Nothing at all in either direction.
    connectionTimeout: 30_000,
    requestTimeout: patience.upload,
    http: { headersTimeout: patience.headers, connectionsCheckingInterval: 1_000 },
    // A proxy keeps its connections for whoever comes next, most of them for a minute.
    keepAliveTimeout: trustProxy.length > 0 ? 72_000 : patience.idle,
  };
}

/** Cuts off whoever sends a body slower than a person on a bad line would, also one that was refused unread. */
export function enforceBodyTimeouts(app: FastifyInstance): void {
  app.server.maxConnections = mostConnections;
  app.addHook("onRequest", async ({ raw, headers }) => {
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined)
      cutOff(raw, patience.body);
  });
  // Not at once: whoever is still sending would lose the answer with the connection.
  app.addHook("onResponse", async ({ raw }) => cutOff(raw, patience.answered));
}

/** Gives the body of a request that was let in as much time as a photo takes on a bad line. */
export function extendBodyTimeout({ raw }: FastifyRequest): void {
  cutOff(raw, patience.upload);
}

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Ends a connection unless what it sends is there after so many milliseconds, from now on. */
function cutOff(raw: IncomingMessage, milliseconds: number): void {
  clearTimeout(deadlines.get(raw));
  if (raw.complete) return;
  const deadline = setTimeout(() => raw.complete || raw.destroy(), milliseconds).unref();
  deadlines.set(raw, deadline);
  raw.once("end", () => clearTimeout(deadline));
}
