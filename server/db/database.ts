import { setTimeout as pause } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { committedChanges, pendingChanges } from "./committed-changes.ts";
import { replay } from "./replay.ts";
import type { DB } from "./schema.ts";

/** A connection or a transaction: what every query asks for, so that none runs outside of one by accident. */
export type Tx = Kysely<DB>;

export type Database = { db: Kysely<DB>; pool: pg.Pool };

/**
 * A database that does not answer is given up after 5 s; for a connection that others use a crowd may wait
 * longer.
 */
class QuickClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 5_000 });
  }
}

/**
 * Opens one pool for everything this process asks of PostgreSQL. PostgreSQL cancels a statement after
 * `statementTimeoutMs`; one that is not even cancelled, as it is frozen, fails five seconds later. 0 lets
 * statements take as long as they take, for migrations.
 */
export function openDatabase(
  url: string,
  { connections = 10, statementTimeoutMs = 15_000 } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 20_000,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + 5_000,
    }),
    Client: QuickClient,
    application_name: "secondlap",
  });
  // A connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("release", (_, client) => {
    if (isStillAnswering(client)) void client.end();
  });
  return { pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }) };
}

/** Whether a query that was given up is still under way: nobody else may use the connection (pg 8.23). */
function isStillAnswering(client: pg.PoolClient): client is pg.PoolClient & pg.Client {
  return client instanceof pg.Client && "_activeQuery" in client && client._activeQuery !== null;
}

/**
 * Runs `work`, a verb by its name, in one transaction: all of it is kept, or none. In a request with an
 * Idempotency-Key each verb runs once however often the request is asked, and what it answers has to
 * survive JSON (decision 0010).
 */
export async function transact<T>(
  db: Kysely<DB>,
  verb: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const asked = replay.getStore();
  if (!asked) return await runOnce(db, work);
  asked.begin(verb);
  const known = await asked.recall(db, verb);
  if (known) return known.answered as T;
  try {
    return await runOnce(db, async (tx) => {
      const answered = await work(tx);
      await asked.keep(tx, verb, answered);
      return answered;
    });
  } catch (error) {
    // Another asking of the same request came first, and what it did was in this one's way.
    const rival = await asked.recall(db, verb);
    if (rival) return rival.answered as T;
    throw error;
  }
}

/** Of two transactions that wait for each other PostgreSQL ends one, which is then run anew. */
async function runOnce<T>(db: Kysely<DB>, work: (tx: Tx) => Promise<T>, attempts = 3): Promise<T> {
  try {
    const { answered, made } = await db.transaction().execute(async (tx) => {
      return { answered: await work(tx), made: pendingChanges(tx) };
    });
    for (const change of made) committedChanges.publish(change);
    return answered;
  } catch (error) {
    if (attempts === 1 || !isDeadlock(error)) throw error;
    return await runOnce(db, work, attempts - 1);
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}

/**
 * Answers whether the database answers within `timeoutMs`. However often it is asked, it puts one question
 * to the database at a time, so that a frozen one does not use up the pool.
 */
export function createReachabilityCheck(tx: Tx, timeoutMs = 2_000): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  return async () => {
    underWay ??= sql`select 1`
      .execute(tx)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        underWay = undefined;
      });
    return await Promise.race([underWay, pause(timeoutMs, false, { ref: false })]);
  };
}
