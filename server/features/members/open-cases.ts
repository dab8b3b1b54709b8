import { type RawBuilder, sql } from "kysely";

/** Whether admins decide about booking `b`: a complaint is not decided or its refund waits for the laptop, or the buyer's bank is asking or deciding. */
export const isOpenCase: RawBuilder<boolean> = sql`(
  exists (select from complaints where complaints.booking_id = b.id
    and (complaints.decided_at is null or complaints.return_by is not null))
  or exists (
    select from disputes join payments on payments.id = disputes.payment_id
    where payments.booking_id = b.id and disputes.closed_at is null
  ))`;

/** Whether an admin may read conversation `c`: one of its sides has reported it, or its deal is an open case. */
export const mayAdminRead: RawBuilder<boolean> = sql`(
  exists (
    select from conversation_reports r where r.conversation_id = c.id and r.closed_at is null
  )
  or exists (
    select from bookings b
    where b.product_id = c.product_id and b.buyer_id = c.buyer_id and ${isOpenCase}
  ))`;
