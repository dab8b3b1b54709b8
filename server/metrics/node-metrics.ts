import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type pg from "pg";
import { Counter, Gauge, type Registry } from "prom-client";
import { createReachabilityCheck, type Tx } from "../db/database.ts";
import type { ReplicaState, Replicas } from "../db/replicas.ts";
import { version } from "../version.ts";

type Reading = number | undefined;

type Measured = { name: string; help: string; read: () => Reading | Promise<Reading> };

function measure(registry: Registry, { name, help, read }: Measured): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read();
      if (value !== undefined) this.set(value);
    },
  });
}

/** Lets a dashboard show which nodes have been upgraded. */
export function measureBuild(registry: Registry): void {
  const gauge = new Gauge({
    name: "secondlap_build_info",
    help: "1, with the version of the program as a label",
    labelNames: ["version"],
    registers: [registry],
  });
  gauge.set({ version }, 1);
}

/** Sends a trivial query, because slow queries don't mean that PostgreSQL is down. */
export function measureDatabase(registry: Registry, db: Tx): () => Promise<void> {
  const isReachable = createReachabilityCheck(db);
  const up = new Gauge({
    name: "secondlap_database_up",
    help: "1 if PostgreSQL answers this node",
    registers: [registry],
  });
  return async () => up.set(Number(await isReachable()));
}

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
  measure(registry, {
    name: "secondlap_database_connections_limit",
    help: "The most connections of this node's pool",
    read: () => pool.options.max,
  });
  measure(registry, {
    name: "secondlap_database_waiting",
    help: "Requests and jobs that wait for a connection of this node's pool",
    read: () => pool.waitingCount,
  });
}

export type MeasuredCache = {
  requests: { hits: number; misses: number };
  bytes: number;
  isReadingChanges: boolean;
};

export function measureCache(registry: Registry, cache: MeasuredCache): void {
  new Counter({
    name: "secondlap_public_cache_requests_total",
    help: "Requests for public answers: hit (sent from the cache) or miss (waited for a render)",
    labelNames: ["result"],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ result: "hit" }, cache.requests.hits);
      this.inc({ result: "miss" }, cache.requests.misses);
    },
  });
  measure(registry, {
    name: "secondlap_public_cache_bytes",
    help: "Memory of the cached public answers, estimated",
    read: () => cache.bytes,
  });
  measure(registry, {
    name: "secondlap_public_cache_current",
    help: "1 while changes of public answers can be read; at 0 nothing that may change is sent from the cache",
    read: () => (cache.isReadingChanges ? 1 : 0),
  });
}

/** A CDN's requests mostly miss a node's cache, so the alert about misses is off with a CDN. */
export function measureCdn(registry: Registry, seconds = 0): void {
  measure(registry, {
    name: "secondlap_cdn_seconds",
    help: "How long a CDN may keep public answers (CDN_SECONDS); 0 without a CDN",
    read: () => seconds,
  });
}

export type MeasuredReplicas = Pick<Replicas, "reads" | "states">;

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

/** Leaves out a primary, unless it is listed alone, which means that a replica is missing. */
export function withoutPrimary<T extends Pick<ReplicaState, "isPrimary">>(states: T[]): T[] {
  const others = states.filter(({ isPrimary }) => !isPrimary);
  return others.length > 0 ? others : states;
}

const resolutionMs = 20;
const windowMs = 10_000;

/** In seconds. */
type EventLoopDelays = { p50: number; p99: number; max: number };

/** Reports the worse of the current and the previous ten-second window. */
export function watchEventLoop(registry: Registry) {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let last = now();
  const timer = setInterval(() => {
    last = now();
    histogram.reset();
  }, windowMs).unref();

  new Gauge({
    name: "secondlap_event_loop_delay_seconds",
    help: "How late timers ran in the last 10 to 20 seconds",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      const { p50, p99, max } = read();
      this.set({ quantile: "0.5" }, p50);
      this.set({ quantile: "0.99" }, p99);
      this.set({ quantile: "1" }, max);
    },
  });

  function now(): EventLoopDelays {
    const { max } = histogram;
    return {
      p50: delayOf(histogram.percentile(50)),
      p99: delayOf(histogram.percentile(99)),
      max: delayOf(max),
    };
  }

  function read(): EventLoopDelays {
    const current = now();
    return {
      p50: Math.max(last.p50, current.p50),
      p99: Math.max(last.p99, current.p99),
      max: Math.max(last.max, current.max),
    };
  }

  return {
    read,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** In seconds. Node records the time between two timers, which includes the resolution. */
function delayOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000);
}

type DiskSpace = { freeBytes: number; bytes: number };

export const minFreeShare = 0.1;

/** Undefined if the folder does not exist, as in some shops with photos in S3. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found && { freeBytes: found.bavail * found.bsize, bytes: found.blocks * found.bsize };
}

export function measureDisk(registry: Registry, dataDir: string): void {
  measure(registry, {
    name: "secondlap_disk_bytes",
    help: "Size of the disk that has DATA_DIR",
    read: async () => (await readDiskSpace(dataDir))?.bytes,
  });
  measure(registry, {
    name: "secondlap_disk_free_bytes",
    help: "Free space on the disk that has DATA_DIR",
    read: async () => (await readDiskSpace(dataDir))?.freeBytes,
  });
}
