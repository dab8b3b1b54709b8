import { type RawBuilder, sql } from "kysely";
import { mayAct, type StaffRole } from "#contract/roles.ts";

/**
 * SQL: whether booking `b` is an open case. An open case has an undecided complaint, a refund that
 * waits for the laptop's return, or an inquiry or dispute that the bank hasn't closed.
 */
export const isOpenCase: RawBuilder<boolean> = sql`(
  exists (select from complaints where complaints.booking_id = b.id
    and (complaints.decided_at is null or complaints.return_by is not null))
  or exists (
    select from disputes join payments on payments.id = disputes.payment_id
    where payments.booking_id = b.id and disputes.closed_at is null
  ))`;

/**
 * SQL: whether a role may read conversation `c`. The access `moderation` needs an open report of
 * the conversation. The access `deals` needs a deal that is an open case.
 */
export function mayStaffRead(role: StaffRole | null): RawBuilder<boolean> {
  return sql`(
    ${mayAct(role, "moderation")} and exists (
      select from conversation_reports r where r.conversation_id = c.id and r.closed_at is null
    )
    or ${mayAct(role, "deals")} and exists (
      select from bookings b
      where b.product_id = c.product_id and b.buyer_id = c.buyer_id and ${isOpenCase}
    ))`;
}
