import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** Whether a member shares a mailbox, or a trace such as a card, with one of the others. */
export async function isSamePerson(tx: Tx, memberId: string, others: string[]): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`select ${sharesTrace(
    sql`${memberId}::uuid`,
    sql`any(${others}::uuid[])`,
  )} as same`.execute(tx);
  return rows[0]?.same ?? false;
}

/**
 * SQL for `isSamePerson`; `others` is the right side of a comparison. A shared network is ignored,
 * because neighbors share networks.
 */
export function sharesTrace(memberId: RawBuilder<unknown>, others: RawBuilder<unknown>) {
  return sql<boolean>`(exists (
      select from member_traces a join member_traces b using (kind, trace_hash)
      where a.member_id = ${memberId} and b.member_id = ${others} and kind <> 'network')
    or exists (
      select from members a join members b on mailbox_of(b.email) = mailbox_of(a.email)
      where a.id = ${memberId} and b.id = ${others}
        and a.confirmed_at is not null and b.confirmed_at is not null))`;
}
