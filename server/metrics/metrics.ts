import type pg from "pg";
import { Gauge, Registry } from "prom-client";
import type { Clock } from "../clock.ts";
import type { Tx } from "../db/database.ts";
import { type MeasuredCache, measureCache } from "./cache-metrics.ts";
import { DealMetrics } from "./deal-metrics.ts";
import { watchEventLoop } from "./event-loop.ts";
import { JobMetrics } from "./job-metrics.ts";
import { measurePool } from "./pool-metrics.ts";
import { countProviderCalls } from "./provider-calls.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { readShopState, type ShopState } from "./shop-state.ts";
import { countStateChanges } from "./state-changes.ts";

/** The queries about the whole shop are asked at most so often, whoever scrapes. */
const stateMs = 5_000;

type Measured = { db: Tx; pool: pg.Pool; clock: Clock; publicCache: MeasuredCache };

/** The metrics of one node. Labels have values of the program only: none is of a member or a visitor. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);
  readonly jobs = new JobMetrics(this.registry);
  readonly #deals = new DealMetrics(this.registry);
  readonly #databaseUp = new Gauge({
    name: "secondlap_database_up",
    help: "1 if PostgreSQL answered the queries of this scrape",
    registers: [this.registry],
  });
  readonly #eventLoop = watchEventLoop(this.registry);
  readonly #stopCounting: (() => void)[];
  readonly #measured: Measured;
  #state: { at: number; read: Promise<ShopState | undefined> } | undefined;

  constructor(measured: Measured) {
    this.#measured = measured;
    measurePool(this.registry, measured.pool);
    measureCache(this.registry, measured.publicCache);
    this.#stopCounting = [countProviderCalls(this.registry), countStateChanges(this.registry)];
  }

  /** In Prometheus' text format. Without a database those about the whole shop are those of before. */
  async text(): Promise<string> {
    await this.#readState();
    return await this.registry.metrics();
  }

  close(): void {
    this.#eventLoop.stop();
    for (const stop of this.#stopCounting) stop();
  }

  async #readState(): Promise<ShopState | undefined> {
    const now = performance.now();
    if (!this.#state || now - this.#state.at > stateMs)
      this.#state = { at: now, read: this.#queryState() };
    return await this.#state.read;
  }

  async #queryState(): Promise<ShopState | undefined> {
    const { db, clock } = this.#measured;
    const state = await readShopState(db, clock.now()).catch(() => undefined);
    this.#databaseUp.set(state ? 1 : 0);
    if (state) {
      this.#deals.set(state);
      this.jobs.setWaiting(state.jobs);
    }
    return state;
  }
}
