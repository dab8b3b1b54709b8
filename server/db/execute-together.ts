import { type OperationNodeSource, sql } from "kysely";
import type { Tx } from "./database.ts";
import { sentWithNext } from "./pipelined-transactions.ts";

/** An insert that is not executed yet. */
export type Insert = OperationNodeSource;

/**
 * Runs inserts as one statement, and in a transaction in the round trip of the next statement, which fails if
 * they fail. None sees the rows of another, but for foreign keys.
 */
export async function executeTogether(tx: Tx, inserts: Insert[]): Promise<void> {
  const named = inserts.map((insert, index) => sql`${sql.id(`insert_${index}`)} as (${insert})`);
  const end = sql.raw(tx.isTransaction ? sentWithNext : "");
  await sql`with ${sql.join(named)} select ${end}`.execute(tx);
}
