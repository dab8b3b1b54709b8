import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { Counter, Gauge, Registry } from "prom-client";
import { type Health, services } from "#contract/health.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { type Change, committedChanges } from "../db/committed-changes.ts";
import type { Tx } from "../db/database.ts";
import { version } from "../version.ts";
import { type MeasuredCache, measureCache, measureCdn } from "./cache-metrics.ts";
import { measureDatabase, measurePool } from "./database-metrics.ts";
import { DealMetrics } from "./deal-metrics.ts";
import { measureDisk, readDiskSpace } from "./disk-space.ts";
import { watchEventLoop } from "./event-loop.ts";
import { problemsOf } from "./health-problems.ts";
import { JobMetrics } from "./job-metrics.ts";
import { type CallOutcome, callTotal, countProviderCalls } from "./provider-calls.ts";
import { RecentTotals } from "./recent-totals.ts";
import { type MeasuredReplicas, measureReplicas } from "./replica-metrics.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { readShopState, type ShopState } from "./shop-state.ts";

/** The minimum time between queries about the whole shop, even with several scrapers. */
const stateMs = 5_000;
/** How long a scrape waits for these queries. The scraper itself waits longer for the scrape. */
const answerMs = 1_500;

type Measured = {
  db: Tx;
  pool: pg.Pool;
  clock: Clock;
  config: Pick<Config, "cdn" | "dataDir">;
  publicCache: MeasuredCache;
  replicas: MeasuredReplicas;
};

/** The metrics of one node. Label values come from the program, never from members or visitors. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);
  readonly jobs = new JobMetrics(this.registry);
  readonly #deals = new DealMetrics(this.registry);
  readonly #eventLoop = watchEventLoop(this.registry);
  readonly #providerCalls = countProviderCalls(this.registry);
  readonly #stopStateChanges = countStateChanges(this.registry);
  readonly #askDatabase: () => Promise<void>;
  readonly #measured: Measured;
  readonly #recent: RecentTotals;
  #state: { at: number; read: Promise<ShopState | undefined> } | undefined;

  constructor(measured: Measured) {
    this.#measured = measured;
    measureBuild(this.registry);
    this.#askDatabase = measureDatabase(this.registry, measured.db);
    measurePool(this.registry, measured.pool);
    measureCache(this.registry, measured.publicCache);
    measureCdn(this.registry, measured.config.cdn?.seconds);
    measureDisk(this.registry, measured.config.dataDir);
    measureReplicas(this.registry, measured.replicas);
    this.#recent = new RecentTotals(() => ({
      ...this.requests.totals,
      ...measured.publicCache.requests,
      ...this.#providerCalls.totals,
    }));
  }

  /**
   * Returns the metrics in Prometheus' text format. While the database is down, metrics about the
   * whole shop keep their values.
   */
  async text(): Promise<string> {
    const asked = Promise.all([this.#askDatabase(), this.#readState()]);
    await Promise.race([asked, wait(answerMs, undefined, { ref: false })]);
    return await this.registry.metrics();
  }

  /** Returns the health of the node and the shop, or undefined if PostgreSQL does not answer. */
  async health(): Promise<Health | undefined> {
    const state = await this.#readState();
    if (!state) return undefined;
    const { jobs, retriedRefunds, comparedSecondsAgo, uncomparedSeconds, ...others } = state;
    const { backedUpSecondsAgo, withoutBackupSeconds, ...counts } = others;
    const measures = {
      node: { ...this.#nodeHealth(), disk: await this.#diskHealth() },
      shop: {
        ...counts,
        jobs: jobs.map(({ oldestSeconds, retriedSeconds: _, ...job }) => ({
          ...job,
          dueSeconds: oldestSeconds,
        })),
        refundsSentBack: retriedRefunds,
        ledgerComparedHoursAgo: comparedSecondsAgo && comparedSecondsAgo / 3_600,
        ledgerUncomparedHours: uncomparedSeconds && uncomparedSeconds / 3_600,
        backedUpHoursAgo: backedUpSecondsAgo && backedUpSecondsAgo / 3_600,
        withoutBackupHours: withoutBackupSeconds / 3_600,
      },
    };
    return { problems: problemsOf(measures), ...measures };
  }

  async #diskHealth(): Promise<Health["node"]["disk"]> {
    const disk = await readDiskSpace(this.#measured.config.dataDir);
    const { diskFull } = this.#recent.growth().totals;
    return { freeBytes: null, bytes: null, ...disk, refused: diskFull ?? 0 };
  }

  #nodeHealth(): Omit<Health["node"], "disk"> {
    const { pool, publicCache, replicas, clock } = this.#measured;
    const { seconds, totals } = this.#recent.growth();
    const { requests = 0, errors = 0, slow = 0, hits = 0, misses = 0 } = totals;
    const called = services.map((service) => {
      const total = (outcome: CallOutcome) => totals[callTotal(service, outcome)] ?? 0;
      const failed = total("failed") + total("not_sent");
      return { service, answered: total("answered"), refused: total("refused"), failed };
    });
    return {
      since: new Date(clock.now().getTime() - seconds * 1_000).toISOString(),
      requests,
      errors,
      slow,
      cacheHits: hits,
      cacheMisses: misses,
      cacheCurrent: publicCache.isReadingChanges,
      eventLoopDelay: this.#eventLoop.read().p99,
      connections: {
        busy: pool.totalCount - pool.idleCount,
        most: pool.options.max,
        waiting: pool.waitingCount,
      },
      replicas: replicas.states.map(({ lagMs, ...replica }) => ({
        ...replica,
        lateSeconds: lagMs === undefined ? null : lagMs / 1_000,
      })),
      services: called.filter(({ answered, refused, failed }) => answered + refused + failed > 0),
    };
  }

  close(): void {
    this.#eventLoop.stop();
    this.#providerCalls.stop();
    this.#stopStateChanges();
    this.#recent.stop();
  }

  /** Discards the stored state of the shop, so that the next reader sees changes immediately. */
  forgetShopState(): void {
    this.#state = undefined;
  }

  async #readState(): Promise<ShopState | undefined> {
    if (!this.#state || performance.now() - this.#state.at > stateMs) {
      // Infinity prevents a second query while the first one runs.
      const state = { at: Number.POSITIVE_INFINITY, read: this.#queryState() };
      void state.read.then(() => {
        state.at = performance.now();
      });
      this.#state = state;
    }
    return await this.#state.read;
  }

  async #queryState(): Promise<ShopState | undefined> {
    const { db, clock } = this.#measured;
    const state = await readShopState(db, clock.now()).catch(() => undefined);
    if (state) {
      this.#deals.set(state);
      this.jobs.setWaiting(state.jobs);
    }
    return state;
  }
}

/** Reports the program's version, so that a dashboard shows which nodes are upgraded. */
function measureBuild(registry: Registry): void {
  const gauge = new Gauge({
    name: "secondlap_build_info",
    help: "1, with the version of the program as a label",
    labelNames: ["version"],
    registers: [registry],
  });
  gauge.set({ version }, 1);
}

/**
 * Counts committed state changes by object and verb, as in the audit log. Returns a function that
 * stops counting.
 */
function countStateChanges(registry: Registry): () => void {
  const changes = new Counter({
    name: "secondlap_state_changes_total",
    help: "Committed state changes, by object and verb, such as booking and hold",
    labelNames: ["object", "verb"],
    registers: [registry],
  });
  const count = (message: unknown) => {
    const { object, verb } = message as Change;
    changes.inc({ object, verb });
  };
  committedChanges.subscribe(count);
  return () => void committedChanges.unsubscribe(count);
}
