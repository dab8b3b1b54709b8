import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/**
 * Lets closing end: once the requests in flight are answered, or after ten seconds, every connection is
 * closed, also one a browser opened ahead and never used, which Node would wait a minute for.
 */
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
    const patience = Date.now() + 10_000;
    while (inFlight > 0 && Date.now() < patience) await wait(20);
  }
}
