import { type RawBuilder, type SqlBool, sql } from "kysely";
import { liveBookingStates } from "#contract/life-cycle.ts";
import type { Message } from "#contract/messages.ts";
import type { PrivatePhoto } from "#contract/private-photos.ts";
import { mayAct, type StaffRole } from "#contract/roles.ts";
import { photosWhere } from "../images/attach-photos.ts";

const paidStates = liveBookingStates.filter((state) => state !== "held");

/** SQL: whether the buyer of conversation `c` has paid for the laptop, and the sale stands. */
export const isPaidFor = sql<boolean>`exists (
  select from bookings where bookings.product_id = c.product_id and bookings.buyer_id = c.buyer_id
    and bookings.state in (${sql.join(paidStates.map((state) => sql.lit(state)))}))`;

/**
 * SQL: whether a member of conversation `c` is the seller, or a buyer whose booking was neither
 * canceled nor expired.
 */
export function maySendPhotos(memberId: string): RawBuilder<boolean> {
  const ended = sql.join((["expired", "cancelled"] as const).map((state) => sql.lit(state)));
  return sql`(c.buyer_id <> ${memberId} or exists (
    select from bookings where bookings.product_id = c.product_id and bookings.buyer_id = c.buyer_id
      and bookings.state not in (${ended})))`;
}

/**
 * Every query for message texts must use these columns of message `m` in conversation `c`: until
 * the laptop is paid for, only the sender sees contact details. `reader`: null for an admin.
 */
export function messageColumns(reader: string | null) {
  return [
    sql<string>`m.id`.as("message_id"),
    sql<string>`m.sender_id`.as("sender_id"),
    sql<Date>`m.sent_at`.as("sent_at"),
    shownText(reader).as("text"),
    sql<boolean>`m.masked_text is not null and not ${isPaidFor}`.as("hidden"),
    photosWhere(sql`photo.message_id = m.id`).as("photos"),
  ] as const;
}

function shownText(reader: string | null): RawBuilder<string> {
  const mayRead =
    reader === null ? sql<SqlBool>`false` : sql<SqlBool>`m.sender_id = ${reader} or ${isPaidFor}`;
  return sql<string>`case when m.masked_text is null or ${mayRead} then m.text else m.masked_text end`;
}

type MessageRow = {
  message_id: string;
  sender_id: string;
  sent_at: Date;
  text: string;
  hidden: boolean;
  photos: PrivatePhoto[];
};

export function toMessage(row: MessageRow, self: string): Message {
  return {
    _id: row.message_id,
    mine: row.sender_id === self,
    text: row.text,
    hidden: row.hidden,
    photos: row.photos,
    sentAt: row.sent_at.toISOString(),
  };
}

/** SQL: whether booking `b` has an open complaint, inquiry or dispute, or waits for a return. */
export const isOpenCase: RawBuilder<boolean> = sql`(
  exists (select from complaints where complaints.booking_id = b.id
    and (complaints.decided_at is null or complaints.return_by is not null))
  or exists (
    select from disputes join payments on payments.id = disputes.payment_id
    where payments.booking_id = b.id and disputes.closed_at is null
  ))`;

/** SQL: whether staff of this `role` may read conversation `c`: during an open report or case. */
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
