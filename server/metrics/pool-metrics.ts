import type pg from "pg";
import { Gauge, type Registry } from "prom-client";

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
