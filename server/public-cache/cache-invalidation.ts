import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import pg from "pg";
import type { PublicCache } from "./public-cache.ts";

/**
 * Clears the cache whenever any node commits a public change: LISTEN on the channel that the triggers of
 * products, categories and members notify. While LISTEN is disconnected the cache is disabled. Returns a
 * function that disconnects.
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
    next.on("error", (error) => log.warn({ err: error }, "LISTEN connection failed"));
    try {
      await next.connect();
      await next.query("listen public_change");
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
    // Registered only now: a failed attempt is retried by its caller.
    next.once("end", () => {
      cache.setEnabled(false);
      if (!stopped) void reconnect();
    });
    cache.setEnabled(true);
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
