import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { changes, changesIn } from "./changes.ts";
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

/** Opens one pool for everything this process asks of PostgreSQL. */
export function openDatabase(url: string, { connections = 10 } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 20_000,
    Client: QuickClient,
    application_name: "secondlap",
  });
  // A connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return { pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }) };
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
      return { answered: await work(tx), made: changesIn(tx) };
    });
    for (const change of made) changes.publish(change);
    return answered;
  } catch (error) {
    if (attempts === 1 || !isDeadlock(error)) throw error;
    return await runOnce(db, work, attempts - 1);
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}

/** Whether the database answers. */
export async function isReachable(tx: Tx): Promise<boolean> {
  return await sql`select 1`.execute(tx).then(
    () => true,
    () => false,
  );
}
