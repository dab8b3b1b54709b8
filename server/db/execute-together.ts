import { type OperationNodeSource, sql } from "kysely";
import type { Tx } from "./database.ts";
import { sentWithNext } from "./pipelined-transactions.ts";

/** An insert that is not executed yet. */
export type Insert = OperationNodeSource;

/**
 * Runs inserts as one statement. In a transaction, they share the next statement's round trip and
 * make it fail if they fail. Only foreign keys see the rows of the other inserts.
 */
export async function executeTogether(tx: Tx, inserts: Insert[]): Promise<void> {
  const named = inserts.map((insert, index) => sql`${sql.id(`insert_${index}`)} as (${insert})`);
  const end = sql.raw(tx.isTransaction ? sentWithNext : "");
  await sql`with ${sql.join(named)} select ${end}`.execute(tx);
}
