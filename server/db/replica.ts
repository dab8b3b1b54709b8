import { setTimeout as wait, setImmediate as waitForTurn } from "node:timers/promises";
import { sql } from "kysely";
import { type Database, openDatabase, readRow, type Tx } from "./database.ts";
import { isConflict, isReplicaFailure } from "./unavailable.ts";
import { serverStart, toBytes } from "./wal-positions.ts";

/** A replica is down after `maxMisses` checks in a row exceed `answerMs`, or one fails. */
const answerMs = 500;
const maxMisses = 2;
/** If no connection is free within this time, the read goes to another server. */
const connectionMs = 100;

type Options = { statementTimeoutMs: number; name: string };

/** A pool for reads, and a connection for health checks. */
export class Replica {
  readonly name: string;
  readonly #reads: Database;
  readonly #watch: Database;
  /** Each aborts a read in progress. */
  readonly #endings = new Set<(reason: Error) => void>();
  isUp = false;
  /** The timeline at the last check; 0 while the replica is down. */
  timeline = 0;
  /** The server's start time, which identifies it; undefined unless it is a primary. */
  primaryStart: string | undefined;
  #misses = 0;

  constructor(url: string, { statementTimeoutMs, name }: Options) {
    this.name = name;
    const limits = { statementTimeoutMs, connectTimeoutMs: 1_000 };
    this.#reads = openDatabase(url, limits);
    this.#watch = openDatabase(url, { ...limits, connections: 1 });
  }

  /**
   * Returns the replayed WAL position in bytes; undefined if the server is slow, failing or a
   * primary. Aborts running reads if the server is down or a primary.
   */
  async check(): Promise<bigint | undefined> {
    try {
      const state = await inTime(readServerState(this.#watch.db), answerMs);
      if (!state) {
        this.#misses += 1;
        if (this.#misses >= maxMisses) this.#fail(new Error("no position in time"));
        return undefined;
      }
      this.#misses = 0;
      if (state.isPrimary) {
        this.#fail(new Error("it is a primary"));
        this.primaryStart = state.start;
        return undefined;
      }
      this.isUp = true;
      this.primaryStart = undefined;
      // Without a primary, a replica has no WAL receiver, and may give an older timeline.
      this.timeline = Math.max(this.timeline, state.timeline);
      return toBytes(state.position ?? "0/0");
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /** Returns undefined if the replica is stale, busy or fails, even if `read` has already begun. */
  async run<T>(
    isFresh: (bytes: bigint) => boolean,
    read: (tx: Tx) => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    let began = false;
    try {
      return await this.#onConnection(async (tx) => {
        const bytes = await inTime(readPosition(tx), answerMs);
        if (bytes === undefined || !isFresh(bytes)) return undefined;
        began = true;
        return { result: await this.#unlessLost(read(tx)) };
      });
    } catch (error) {
      if (began && !isReplicaFailure(error)) throw error;
      if (!isConflict(error)) this.#fail(error);
      return undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.pool.end(), this.#watch.pool.end()]);
  }

  /** Undefined if no connection becomes free in time. The replica may still be up. */
  async #onConnection<T>(work: (tx: Tx) => Promise<T>): Promise<T | undefined> {
    let state: "waits" | "works" | "left" = "waits";
    const working = this.#reads.db.connection().execute(async (tx) => {
      if (state === "left") return undefined;
      state = "works";
      return await work(tx);
    });
    const leave = async () => {
      await wait(connectionMs, undefined, { ref: false });
      await waitForTurn();
      if (state === "works") return await working;
      state = "left";
      return undefined;
    };
    return await Promise.race([working, leave()]);
  }

  /**
   * Rejects if the replica goes down. Each read has its own promise, because a promise shared by
   * all reads would keep their results in memory.
   */
  async #unlessLost<T>(reading: Promise<T>): Promise<T> {
    const { promise: lost, reject: end } = Promise.withResolvers<never>();
    this.#endings.add(end);
    return await Promise.race([reading, lost]).finally(() => this.#endings.delete(end));
  }

  #fail(cause: unknown): void {
    this.isUp = false;
    this.primaryStart = undefined;
    // The replica may come back as a copy of another primary.
    this.timeline = 0;
    const reason = new Error("Connection terminated: the replica does not answer", { cause });
    for (const end of this.#endings) end(reason);
  }
}

/** A response that arrived while this process was blocked counts as in time. */
async function inTime<T>(answering: Promise<T>, ms: number): Promise<T | undefined> {
  const missed = wait(ms, undefined, { ref: false }).then(() => waitForTurn(undefined));
  return await Promise.race([answering, missed]);
}

/** Throws if the server is no longer a replica: its rows may differ from the primary's. */
async function readPosition(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ position: string }>`
    select pg_last_wal_replay_lsn()::text as position where pg_is_in_recovery()`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("no position of a replica");
  return toBytes(row.position);
}

/** `position`: the replayed WAL; null on a primary. `start`: when the server started. */
export type ServerState = {
  isPrimary: boolean;
  start: string;
  position: string | null;
  timeline: number;
};

/**
 * Takes the highest of three timelines: the control file's may be outdated, and the receiver's is
 * null for roles that may not read statistics.
 */
export async function readServerState(tx: Tx): Promise<ServerState> {
  const state = sql<ServerState>`
    select not pg_is_in_recovery() as "isPrimary", ${serverStart} as start,
      pg_last_wal_replay_lsn()::text as position, greatest(
      (select received_tli from pg_stat_wal_receiver),
      (pg_control_recovery()).min_recovery_end_timeline,
      (pg_control_checkpoint()).timeline_id) as timeline`;
  return await readRow(tx, state);
}
