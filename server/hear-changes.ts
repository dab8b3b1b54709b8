import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import pg from "pg";
import type { PublicCache } from "./public-cache.ts";

/**
 * Clears the cache whenever any node commits a public change. While the connection that hears of it is
 * down, nothing is kept. Answers a function that stops it.
 */
export async function hearChanges(
  url: string,
  cache: PublicCache,
  log: FastifyBaseLogger,
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  let stopped = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: "secondlap changes",
    });
    next.on("notification", () => cache.clear());
    next.on("error", (error) => log.warn({ err: error }, "no longer hearing of changes"));
    next.on("end", () => {
      cache.listen(false);
      if (!stopped) void reconnect();
    });
    await next.connect();
    await next.query("listen public_change");
    client = next;
    cache.listen(true);
  }

  async function reconnect(): Promise<void> {
    for (let attempt = 0; !stopped; attempt += 1) {
      await wait(Math.min(100 * 2 ** attempt, 5_000), undefined, { ref: false });
      const connected = await connect().then(
        () => true,
        () => false,
      );
      if (connected) return;
    }
  }

  await connect();
  return async () => {
    stopped = true;
    await client?.end();
  };
}
