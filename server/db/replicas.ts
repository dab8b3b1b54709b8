import { sql } from "kysely";
import type { Tx } from "./database.ts";
import { Replica } from "./replica.ts";
import { serverStart, timelineOf, toBytes, WalHistory, type WalPosition } from "./wal-positions.ts";

const maxLagMs = 1_000;
const checkIntervalMs = 250;

/** `lagMs` is undefined unless the replica is up. */
export type ReplicaState = {
  name: string;
  isUsed: boolean;
  isPrimary: boolean;
  lagMs: number | undefined;
};

/** Serves reads whose data may be up to a second old (`replica` in contract/call.ts). */
export type Replicas = Pick<WatchedReplicas, "exist" | "reads" | "states" | "read">;

type Options = {
  urls: string[];
  db: Tx;
  /** The position that every read must include; undefined while this node doesn't know it. */
  changePosition: () => WalPosition | undefined;
  statementTimeoutMs: number;
  warn: (fields: object, message: string) => void;
};

type State = { replica: Replica; lagMs: number; wasUsed: boolean };

/** Replicas are checked four times a second, and again on the connection of each read. */
export class WatchedReplicas {
  /** Counts the reads that each replica served, and those that the primary served instead. */
  readonly reads: Record<string, number> = { primary: 0 };
  readonly #states: State[];
  readonly #options: Options;
  readonly #primary = new WalHistory();
  readonly #timer: NodeJS.Timeout | undefined;
  #checking: Promise<unknown> | undefined;
  #turn = 0;
  /** The primary's timeline. Replicas on another timeline may have writes that a failover lost. */
  #timeline: number | undefined;
  #primaryStart: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { urls, statementTimeoutMs } = options;
    this.#states = urls.map((url) => {
      const replica = new Replica(url, { statementTimeoutMs, name: new URL(url).host });
      return { replica, lagMs: Number.POSITIVE_INFINITY, wasUsed: false };
    });
    for (const { replica } of this.#states) this.reads[replica.name] = 0;
    if (!this.exist) return;
    this.#timer = setInterval(() => this.#check(), checkIntervalMs).unref();
    this.#check();
  }

  /** Whether there are replicas. If so, write positions must be recorded. */
  get exist(): boolean {
    return this.#states.length > 0;
  }

  get states(): ReplicaState[] {
    return this.#states.map((state) => ({
      name: state.replica.name,
      isUsed: this.#isUsed(state),
      isPrimary: this.#isPrimary(state),
      lagMs: state.replica.isUp ? state.lagMs : undefined,
    }));
  }

  /**
   * Reads from a replica that lags at most a second and has replayed `position` and every change
   * that this node has seen, or else from the primary. If a replica fails, `read` runs again.
   */
  async read<T>(position: WalPosition | undefined, read: (tx: Tx) => Promise<T>): Promise<T> {
    const changePosition = this.exist ? this.#options.changePosition() : undefined;
    if (changePosition === undefined) return await this.#readPrimary(read);
    const required = [changePosition, ...(position ? [position] : [])].map(toBytes);
    const isFresh = (bytes: bigint) =>
      required.every((one) => bytes >= one) && this.#primary.lagOf(bytes) <= maxLagMs;
    for (const { replica } of this.#inTurn()) {
      const done = await replica.run(isFresh, read);
      if (!done) continue;
      this.reads[replica.name] = (this.reads[replica.name] ?? 0) + 1;
      return done.result;
    }
    return await this.#readPrimary(read);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
    await Promise.all(this.#states.map(({ replica }) => replica.close()));
  }

  async #readPrimary<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    this.reads.primary = (this.reads.primary ?? 0) + 1;
    return await read(this.#options.db);
  }

  #isUsed({ replica, lagMs }: State): boolean {
    return replica.isUp && lagMs <= maxLagMs && replica.timeline === this.#timeline;
  }

  /** Whether the listed server is the primary at DATABASE_URL, not a former primary or a copy. */
  #isPrimary({ replica }: State): boolean {
    return replica.primaryStart !== undefined && replica.primaryStart === this.#primaryStart;
  }

  #inTurn(): State[] {
    const usable = this.#states.filter((state) => this.#isUsed(state));
    this.#turn += 1;
    const first = this.#turn % (usable.length || 1);
    return [...usable.slice(first), ...usable.slice(0, first)];
  }

  #check(): void {
    this.#checking ??= Promise.all([
      this.#askPrimary(),
      ...this.#states.map((state) => this.#ask(state)),
    ]).finally(() => {
      this.#checking = undefined;
    });
  }

  async #askPrimary(): Promise<void> {
    const at = performance.now();
    const asked = sql<{ position: string; file: string; start: string }>`
      select pg_current_wal_flush_lsn()::text as position,
        pg_walfile_name(pg_current_wal_flush_lsn()) as file, ${serverStart} as start`;
    // If the primary does not respond, lag is measured against its last known positions.
    const { rows } = await asked.execute(this.#options.db).catch(() => ({ rows: [] }));
    for (const { position, file, start } of rows) {
      this.#primary.add(toBytes(position), at);
      this.#timeline = timelineOf(file);
      this.#primaryStart = start;
    }
  }

  async #ask(state: State): Promise<void> {
    const { replica } = state;
    const bytes = await replica.check();
    if (bytes !== undefined) state.lagMs = this.#primary.lagOf(bytes);
    const isUsed = this.#isUsed(state);
    if (state.wasUsed === isUsed) return;
    state.wasUsed = isUsed;
    const reason = this.#whyNot(state);
    if (isUsed) this.#options.warn({ replica: replica.name }, "a replica is read from");
    else this.#options.warn({ replica: replica.name, reason }, "a replica is left out");
  }

  #whyNot(state: State): string {
    const { replica, lagMs } = state;
    if (this.#isPrimary(state)) return "it is the primary";
    if (replica.primaryStart !== undefined)
      return "it is a primary, and not known to be that of DATABASE_URL";
    if (!replica.isUp) return "it does not answer";
    if (lagMs > maxLagMs) return `it is ${Math.round(lagMs)} ms late`;
    return "it is not known to follow the primary's timeline";
  }
}
