import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { DB } from "./schema.ts";

/** A connection or a transaction: what every query asks for, so that none runs outside of one by accident. */
export type Tx = Kysely<DB>;

export type Database = { db: Kysely<DB>; pool: pg.Pool };

/** Opens one pool for everything this process asks of PostgreSQL. */
export function openDatabase(url: string, { connections = 10 } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    application_name: "secondlap",
  });
  // A connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return { pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }) };
}

/** Runs `work` in one transaction: all of it is kept, or none. */
export function transact<T>(db: Kysely<DB>, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(work);
}

/** Whether the database answers. */
export async function isReachable(tx: Tx): Promise<boolean> {
  return await sql`select 1`.execute(tx).then(
    () => true,
    () => false,
  );
}
