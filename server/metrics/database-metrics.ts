import { sql } from "kysely";
import type pg from "pg";
import { Gauge, type Registry } from "prom-client";
import type { Tx } from "../db/database.ts";

/**
 * Reports whether PostgreSQL answers. Returns a function that checks with a trivial query, because
 * slow queries about the shop don't mean that PostgreSQL is down. An unanswered query fails after
 * the timeout of `openDatabase`. Until then, the metric keeps its value.
 */
export function measureDatabase(registry: Registry, db: Tx): () => Promise<void> {
  const up = new Gauge({
    name: "secondlap_database_up",
    help: "1 if PostgreSQL answers this node",
    registers: [registry],
  });
  let asked: Promise<void> | undefined;
  return async () => {
    asked ??= sql`select 1`
      .execute(db)
      .then(
        () => up.set(1),
        () => up.set(0),
      )
      .finally(() => {
        asked = undefined;
      });
    await asked;
  };
}

/** Reports the connections to PostgreSQL for requests and jobs. */
export function measurePool(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: "secondlap_database_connections",
    help: "Connections of this node's pool, by state: busy or idle",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      this.set({ state: "idle" }, pool.idleCount);
    },
  });
  new Gauge({
    name: "secondlap_database_connections_limit",
    help: "The most connections of this node's pool",
    registers: [registry],
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: "secondlap_database_waiting",
    help: "Requests and jobs that wait for a connection of this node's pool",
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
