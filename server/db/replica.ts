import { setTimeout as wait, setImmediate as waitForTurn } from "node:timers/promises";
import { sql } from "kysely";
import { type Database, openDatabase, type Tx } from "./database.ts";
import { isReplicaFailure } from "./unavailable.ts";
import { serverStart, toBytes } from "./wal-positions.ts";

/** A replica that does not say its position within this time, so often in a row, is taken for dead. */
const answerMs = 500;
const mostMisses = 2;
/** A read that gets no connection to a replica within this time goes elsewhere. */
const connectionMs = 100;

type Options = { statementTimeoutMs: number; name: string };

/** One streaming replica: a pool for reads, and a connection that watches it. */
export class Replica {
  readonly name: string;
  readonly #reads: Database;
  readonly #watch: Database;
  /** How to end the reads under way. */
  readonly #endings = new Set<(reason: Error) => void>();
  #isUp = false;
  #misses = 0;
  #timeline = 0;
  #primaryStart: string | undefined;

  constructor(url: string, { statementTimeoutMs, name }: Options) {
    this.name = name;
    const limits = { statementTimeoutMs, connectTimeoutMs: 1_000 };
    this.#reads = openDatabase(url, limits);
    this.#watch = openDatabase(url, { ...limits, connections: 1 });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** The timeline it replays, as far as it is known: never a later one. */
  get timeline(): number {
    return this.#timeline;
  }

  /** When its server was started, if it is a primary: it may have been promoted. Tells servers apart. */
  get primaryStart(): string | undefined {
    return this.#primaryStart;
  }

  /**
   * How far it has replayed the WAL, in bytes; undefined if it does not say so in time, or replays nothing. Its reads
   * under way are ended then.
   */
  async check(): Promise<bigint | undefined> {
    try {
      const state = await inTime(readServerState(this.#watch.db), answerMs);
      if (!state) {
        this.#misses += 1;
        if (this.#misses >= mostMisses) this.#fail(new Error("no position in time"));
        return undefined;
      }
      this.#misses = 0;
      if (state.isPrimary) {
        this.#fail(new Error("it is a primary"));
        this.#primaryStart = state.start;
        return undefined;
      }
      this.#isUp = true;
      this.#primaryStart = undefined;
      // Without a receiver, while there is no primary, it stays on the timeline it has reached.
      this.#timeline = Math.max(this.#timeline, state.timeline);
      return toBytes(state.position ?? "0/0");
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /**
   * Runs a read on one of its connections, if `isFresh` of what this connection's server has replayed. Undefined if
   * not, if none is free soon, or if it fails; the read may have begun then.
   */
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

  /** Undefined if all connections stay in use, which says nothing of the replica. */
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

  /** A promise of its own for each read: one that lives as long as the replica would keep all of their results. */
  async #unlessLost<T>(reading: Promise<T>): Promise<T> {
    const { promise: lost, reject: end } = Promise.withResolvers<never>();
    this.#endings.add(end);
    return await Promise.race([reading, lost]).finally(() => this.#endings.delete(end));
  }

  #fail(cause: unknown): void {
    this.#isUp = false;
    this.#primaryStart = undefined;
    // It may come back as a copy of another primary.
    this.#timeline = 0;
    const reason = new Error("Connection terminated: the replica does not answer", { cause });
    for (const end of this.#endings) end(reason);
  }
}

/** Undefined if it takes longer. An answer that came while this process stood still is in time. */
async function inTime<T>(answering: Promise<T>, ms: number): Promise<T | undefined> {
  const missed = wait(ms, undefined, { ref: false }).then(() => waitForTurn(undefined));
  return await Promise.race([answering, missed]);
}

/** A server that is not replaying, such as a promoted one, is no replica: another primary may have other rows. */
async function readPosition(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ position: string }>`
    select pg_last_wal_replay_lsn()::text as position where pg_is_in_recovery()`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("no position of a replica");
  return toBytes(row.position);
}

/** `position`: what it has replayed; null on a primary. `start`: when it was started. */
export type ServerState = {
  isPrimary: boolean;
  start: string;
  position: string | null;
  timeline: number;
};

/**
 * With the timeline, which a replica follows only if it has replayed nothing beyond where that began. Who may not read
 * statistics gets the receiver's as null; the control file knows it since the last restart point.
 */
export async function readServerState(tx: Tx): Promise<ServerState> {
  const { rows } = await sql<ServerState>`
    select not pg_is_in_recovery() as "isPrimary", ${serverStart} as start,
      pg_last_wal_replay_lsn()::text as position, greatest(
      (select received_tli from pg_stat_wal_receiver),
      (pg_control_recovery()).min_recovery_end_timeline,
      (pg_control_checkpoint()).timeline_id) as timeline`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL said nothing of its state");
  return row;
}

/** The replica cancels reads of rows whose removal it has to replay. */
function isConflict(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "40001" || code === "40P01";
}
