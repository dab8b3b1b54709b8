import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import pg from "pg";
import type { PublicCache } from "./public-cache.ts";

/**
 * Clears the cache whenever any node commits a public change. While the connection that hears of it is
 * down, nothing is kept. Answers a function that stops it.
 */
export async function startCacheInvalidation(
  url: string,
  cache: PublicCache,
  log: FastifyBaseLogger,
): Promise<() => Promise<void>> {
  let stopped = false;
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: url,
      application_name: "secondlap changes",
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    next.on("notification", () => cache.clear());
    next.on("error", (error) => log.warn({ err: error }, "no longer hearing of changes"));
    try {
      await next.connect();
      await next.query("listen public_change");
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
    // Only one that has listened is replaced: a failed attempt is repeated by whoever made it.
    next.once("end", () => {
      cache.listen(false);
      if (!stopped) void reconnect();
    });
    cache.listen(true);
    return next;
  }

  async function reconnect(): Promise<void> {
    for (let attempt = 0; !stopped; attempt += 1) {
      await wait(Math.min(100 * 2 ** attempt, 2_000), undefined, { ref: false });
      const next = await connect().catch(() => undefined);
      if (!next) continue;
      client = next;
      if (stopped) await next.end();
      return;
    }
  }

  return async () => {
    stopped = true;
    await client.end();
  };
}
