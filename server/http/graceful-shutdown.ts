import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

const timeoutMs = 10_000;

/** Waits for the requests in flight, then closes idle connections, for which Node would wait a minute. */
export function enableGracefulShutdown(app: FastifyInstance): void {
  let inFlight = 0;
  app.addHook("onRequest", async () => {
    inFlight += 1;
  });
  app.addHook("onResponse", async () => {
    inFlight -= 1;
  });
  app.addHook("preClose", async () => {
    void untilIdle().then(() => app.server.closeAllConnections());
  });

  async function untilIdle(): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (inFlight > 0 && Date.now() < deadline) await wait(20);
  }
}
