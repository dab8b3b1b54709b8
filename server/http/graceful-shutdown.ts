import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** Makes load balancers avoid this node: `/readyz` fails, and responses close connections. */
    drain(): void;
    isDraining(): boolean;
  }
}

/**
 * On close, waits up to 10 s for requests whose client is still connected, and then closes all
 * connections. Call this last, because its listener must run before all others.
 */
export function enableGracefulShutdown(app: FastifyInstance, timeoutMs = 10_000): void {
  let draining = false;
  let inFlight = 0;
  app.decorate("isDraining", () => draining);
  app.decorate("drain", () => {
    draining = true;
  });
  app.server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    // Otherwise a load balancer might send a request on a connection just as this node closes it.
    if (draining) response.shouldKeepAlive = false;
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
    });
  });
  // Node considers a connection idle while a slow client still receives the end of a response.
  app.server.closeIdleConnections = () => {};
  app.addHook("preClose", async () => {
    void untilIdle().then(() => app.server.closeAllConnections());
  });

  async function untilIdle(): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (inFlight > 0 && Date.now() < deadline) await wait(20);
  }
}
