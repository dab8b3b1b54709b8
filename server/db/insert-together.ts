import { type OperationNodeSource, sql } from "kysely";
import type { Tx } from "./database.ts";

/**
 * Runs inserts as one statement, in one round trip. An insert doesn't see rows of the others, but
 * foreign key checks do.
 */
export async function insertTogether(tx: Tx, inserts: OperationNodeSource[]): Promise<void> {
  const named = inserts.map((insert, index) => sql`${sql.id(`insert_${index}`)} as (${insert})`);
  await sql`with ${sql.join(named)} select`.execute(tx);
}
