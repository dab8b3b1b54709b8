import { Counter, Gauge, type Registry } from "prom-client";
import type { ReplicaState, Replicas } from "../db/replicas.ts";

/** The number of reads that each server answered, and the state of the replicas. */
export type MeasuredReplicas = Pick<Replicas, "reads" | "states">;

/** Reports the database's replicas, if there are any. */
export function measureReplicas(registry: Registry, replicas: MeasuredReplicas): void {
  new Counter({
    name: "secondlap_replica_reads_total",
    help: "Reads that may be a second old, by the replica that answered, or primary",
    labelNames: ["server"],
    registers: [registry],
    collect() {
      this.reset();
      if (replicas.states.length === 0) return;
      for (const [server, count] of Object.entries(replicas.reads)) this.inc({ server }, count);
    },
  });
  new Gauge({
    name: "secondlap_replica_used",
    help: "1 while a replica is read from; 0 while it is over a second late, does not answer or replays nothing",
    labelNames: ["replica"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, isUsed } of withoutPrimary(replicas.states))
        this.set({ replica: name }, Number(isUsed));
    },
  });
  new Gauge({
    name: "secondlap_replica_lag_seconds",
    help: "For how long the primary has been further than a replica, up to ten seconds",
    labelNames: ["replica"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, lagMs } of replicas.states)
        if (lagMs !== undefined) this.set({ replica: name }, lagMs / 1_000);
    },
  });
}

/**
 * Leaves out the primary, which is listed as a replica after a failover. If no other server is
 * listed, keeps the primary, to show that a replica is missing.
 */
export function withoutPrimary<T extends Pick<ReplicaState, "isPrimary">>(states: T[]): T[] {
  const others = states.filter(({ isPrimary }) => !isPrimary);
  return others.length > 0 ? others : states;
}
