import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { Counter, Registry } from "prom-client";
import { type Health, type HealthProblem, services } from "#contract/health.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { type Change, committedChanges } from "../db/committed-changes.ts";
import type { Tx } from "../db/database.ts";
import {
  type MeasuredCache,
  type MeasuredReplicas,
  measureBuild,
  measureCache,
  measureCdn,
  measureDatabase,
  measureDisk,
  measurePool,
  measureReplicas,
  minFreeShare,
  readDiskSpace,
  watchEventLoop,
  withoutPrimary,
} from "./node-metrics.ts";
import { type CallOutcome, callTotal, countProviderCalls } from "./provider-calls.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import { createJobMetrics, measureShop, readShopState, type ShopState } from "./shop-metrics.ts";

/** The minimum time between queries about the whole shop, even with several scrapers. */
const stateMs = 5_000;
/** How long a scrape waits for these queries. */
const answerMs = 1_500;

type Measured = {
  db: Tx;
  pool: pg.Pool;
  clock: Clock;
  config: Pick<Config, "cdn" | "dataDir">;
  publicCache: MeasuredCache;
  replicas: MeasuredReplicas;
};

/** Label values come from the program, never from members or visitors. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = createRequestMetrics(this.registry);
  readonly jobs = createJobMetrics(this.registry);
  readonly #setShopState = measureShop(this.registry);
  readonly #eventLoop = watchEventLoop(this.registry);
  readonly #providerCalls = countProviderCalls(this.registry);
  readonly #stopStateChanges = countStateChanges(this.registry);
  readonly #askDatabase: () => Promise<void>;
  readonly #measured: Measured;
  readonly #recent: ReturnType<typeof recentTotals>;
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
    this.#recent = recentTotals(() => ({
      ...this.requests.totals,
      ...measured.publicCache.requests,
      ...this.#providerCalls.totals,
    }));
  }

  /** Returns all metrics. While the database is down, those of the whole shop keep their values. */
  async text(): Promise<string> {
    const asked = Promise.all([this.#askDatabase(), this.#readState()]);
    await Promise.race([asked, wait(answerMs, undefined, { ref: false })]);
    return await this.registry.metrics();
  }

  /** Undefined if PostgreSQL does not answer. */
  async health(): Promise<Health | undefined> {
    const state = await this.#readState();
    if (!state) return undefined;
    const { comparedSecondsAgo, uncomparedSeconds, ...others } = state;
    const { backedUpSecondsAgo, withoutBackupSeconds, ...counts } = others;
    const measures = {
      node: { ...this.#nodeHealth(), disk: await this.#diskHealth() },
      shop: {
        ...counts,
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
      this.#setShopState(state);
      this.jobs.setWaiting(state.jobs);
    }
    return state;
  }
}

/** Returns a function that stops counting. */
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

const sampleMs = 10_000;
const maxSamples = 31;

type Totals = Record<string, number>;

/** How much counters have grown in the last five minutes, or since the start if that is later. */
function recentTotals(read: () => Totals) {
  const sample = () => ({ at: performance.now(), totals: { ...read() } });
  const samples = [sample()];
  const timer = setInterval(() => {
    samples.push(sample());
    if (samples.length > maxSamples) samples.shift();
  }, sampleMs).unref();
  return {
    growth(): { seconds: number; totals: Totals } {
      const now = sample();
      const [oldest = now] = samples;
      const grown = Object.entries(now.totals).map(
        ([name, total]) => [name, total - (oldest.totals[name] ?? 0)] as const,
      );
      return { seconds: (now.at - oldest.at) / 1_000, totals: Object.fromEntries(grown) };
    },
    stop: () => clearInterval(timer),
  };
}

type Measures = { node: Health["node"]; shop: Health["shop"] & Pick<ShopState, "jobs"> };

/** Uses the limits of the alert rules, which also wait until a problem has lasted for minutes. */
export function problemsOf({ node, shop }: Measures): HealthProblem[] {
  const { connections, services } = node;
  const replicas = withoutPrimary(node.replicas);
  const isFailing = ({ answered, refused, failed }: (typeof services)[number]) =>
    failed / (answered + refused + failed) > 0.2;
  const isLate = ({ task, dueSeconds, retriedSeconds }: Measures["shop"]["jobs"][number]) =>
    task === "sendMail" ? dueSeconds > 900 || retriedSeconds > 3_600 : dueSeconds > 300;
  const wrong: Record<HealthProblem, boolean> = {
    errors: node.errors / Math.max(1, node.requests) > 0.02,
    diskFull: isDiskFull(node.disk),
    eventLoop: node.eventLoopDelay > 0.2,
    connections: connections.waiting > 0,
    replicas: replicas.some(({ isUsed }) => !isUsed),
    cache: !node.cacheCurrent,
    services: services.some(isFailing),
    jobsLate: shop.jobs.some(isLate),
    jobsGivenUp: shop.jobs.some(({ givenUp }) => givenUp > 0),
    overdueHolds: shop.overdueHolds > 0,
    refundsSentBack: shop.refundsSentBack > 0,
    ledgerDifferences: shop.ledgerDifferences > 0,
    ledgerNotCompared: (shop.ledgerUncomparedHours ?? 0) > 30,
    backupLate: shop.withoutBackupHours > 30,
  };
  const names = Object.keys(wrong) as HealthProblem[];
  return names.filter((problem) => wrong[problem]);
}

function isDiskFull({ freeBytes, bytes, refused }: Measures["node"]["disk"]): boolean {
  if (refused > 0) return true;
  return freeBytes !== null && bytes !== null && freeBytes < bytes * minFreeShare;
}

type Address = { host: string; port: number };

/** Uses a separate port that no proxy of the shop exposes. Returns a function to stop serving. */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: Address,
): Promise<() => Promise<void>> {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== "GET" || url !== "/metrics") {
      response
        .writeHead(404, { "content-type": "text/plain" })
        .end("There is only GET /metrics.\n");
      return;
    }
    const text = await metrics.text();
    response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text);
  });
  // A scraper needs only one connection.
  server.maxConnections = 20;
  server.listen(port, host);
  await once(server, "listening");
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
}
