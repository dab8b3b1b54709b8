import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { type Database, openDatabase, type Tx } from "./database.ts";
import { isReplicaFailure } from "./unavailable.ts";
import { toBytes } from "./wal-positions.ts";

/** A replica that does not say its position within this time is taken for dead. */
const answerMs = 500;

type Options = { statementTimeoutMs: number; name: string };

/** One streaming replica: a pool for reads, and a connection that watches it. */
export class Replica {
  readonly name: string;
  readonly #reads: Database;
  readonly #watch: Database;
  /** How to end the reads under way. */
  readonly #endings = new Set<(reason: Error) => void>();
  #isUp = false;

  constructor(url: string, { statementTimeoutMs, name }: Options) {
    this.name = name;
    const limits = { statementTimeoutMs, connectTimeoutMs: 1_000 };
    this.#reads = openDatabase(url, limits);
    this.#watch = openDatabase(url, { ...limits, connections: 1 });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** How far it has replayed the WAL, in bytes; undefined if it does not say so in time, and reads on it end. */
  async check(): Promise<bigint | undefined> {
    try {
      const bytes = await replayedBytes(this.#watch.db);
      this.#isUp = true;
      return bytes;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /**
   * Runs a read on one of its connections, if `isFresh` of what this connection's server has replayed. Undefined if
   * not, or if it fails; the read may have begun then.
   */
  async run<T>(
    isFresh: (bytes: bigint) => boolean,
    read: (tx: Tx) => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    let began = false;
    try {
      return await this.#reads.db.connection().execute(async (tx) => {
        if (!isFresh(await replayedBytes(tx))) return undefined;
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

  /** A promise of its own for each read: one that lives as long as the replica would keep all of their results. */
  async #unlessLost<T>(reading: Promise<T>): Promise<T> {
    const { promise: lost, reject: end } = Promise.withResolvers<never>();
    this.#endings.add(end);
    return await Promise.race([reading, lost]).finally(() => this.#endings.delete(end));
  }

  #fail(cause: unknown): void {
    this.#isUp = false;
    const reason = new Error("Connection terminated: the replica does not answer", { cause });
    for (const end of this.#endings) end(reason);
  }
}

/** A server that is not replaying, such as a promoted one, is no replica: another primary may have other rows. */
async function replayedBytes(tx: Tx): Promise<bigint> {
  const asking = sql<{ position: string }>`
    select pg_last_wal_replay_lsn()::text as position where pg_is_in_recovery()`.execute(tx);
  const answer = await Promise.race([asking, wait(answerMs, undefined, { ref: false })]);
  const position = answer?.rows[0]?.position;
  if (position === undefined) throw new Error("no position of a replica");
  return toBytes(position);
}

/** The replica cancels reads of rows whose removal it has to replay. */
function isConflict(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "40001" || code === "40P01";
}
