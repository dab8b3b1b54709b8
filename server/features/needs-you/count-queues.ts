import { type RawBuilder, sql } from "kysely";
import { maxCounted, type NeedsYou } from "#contract/needs-you.ts";
import type { Tx } from "../../db/database.ts";
import { selectFlagged } from "../reports/flagged-listings.ts";
import { waitsForAdmin } from "../rewards/suspect-invitations.ts";

type Queues = Omit<NeedsYou["queues"], "problems" | "firstSteps">;

/** The counts for roles that may open none of the queues. */
export const emptyQueues: Queues = {
  reports: 0,
  messages: 0,
  reviews: 0,
  listings: 0,
  invitations: 0,
};

/**
 * Counts the open items in each moderation queue, up to `maxCounted`. Each count uses an index of
 * the queue's open rows.
 */
export async function countQueues(tx: Tx): Promise<Queues> {
  const { rows } = await sql<Queues>`
    select
      ${countOf(sql`select from reports where closed_at is null`)} as reports,
      ${countOf(sql`select from conversation_reports where closed_at is null`)} as messages,
      ${countOf(sql`select from review_reports where closed_at is null`)} as reviews,
      ${countOf(sql`${selectFlagged(tx)}`)} as listings,
      ${countOf(sql`select from invitations where ${waitsForAdmin}`)} as invitations`.execute(tx);
  const [counts] = rows;
  if (!counts) throw new Error("PostgreSQL returned no counts.");
  return counts;
}

function countOf(waiting: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select count(*) from (${waiting} limit ${maxCounted}) as waiting)::integer`;
}
