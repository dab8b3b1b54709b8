import { arrival } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { PaymentSource } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";
import { tellParties } from "../bookings/notify.ts";
import { areStillMembers } from "../bookings/parties.ts";
import { moveBooking } from "../bookings/transition.ts";
import { followRefund } from "./refunds.ts";

/** A payment as it stands recorded; `repeated` where it had been before. */
export type Settled = { paymentId: string; repeated: boolean; honoured: boolean };

/**
 * Records money the provider says has arrived, exactly once, whoever brings the news: the booking
 * becomes paid, or, where it can no longer be honoured, the money is on its way back. What was given
 * back in the provider's own dashboard is followed. Answers undefined where the intent has not
 * succeeded or is for no booking of ours.
 */
export async function settle(
  deps: Deps,
  intent: Intent,
  source: PaymentSource,
): Promise<Settled | undefined> {
  const { bookingId } = intent;
  if (intent.status !== "succeeded" || bookingId === undefined) return undefined;
  return await transact(deps.db, `settle ${intent.id}`, async (tx) => {
    // One at a time for each booking: whoever comes second finds the first one's record.
    const booking = await tx
      .selectFrom("bookings")
      .select(["id", "buyer_id", "product_id", "price_cents"])
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!booking) return undefined;
    const recorded = await findRecorded(tx, intent.id);
    const { id: paymentId, state } =
      recorded ?? (await arrive(tx, deps, { booking, intent, source }));
    const honoured =
      state === arrival.honoured &&
      !(await followRefund(tx, deps, { bookingId, paymentId, intent }));
    return { paymentId, repeated: recorded !== undefined, honoured };
  });
}

type Booking = { id: string; buyer_id: string; product_id: string; price_cents: number };
type Arrival = { booking: Booking; intent: Intent; source: PaymentSource };

/** Records money that was not known of: kept for its laptop, or due to go back. */
async function arrive(tx: Tx, deps: Deps, { booking, intent, source }: Arrival) {
  const at = deps.clock.now();
  const inFull =
    intent.amountCents === booking.price_cents && intent.currency === deps.config.currency;
  const news = inFull ? await honour(tx, booking, at) : undefined;
  const honoured = news !== undefined;
  const id = await insertPayment(tx, { intent, bookingId: booking.id, source, honoured, at });
  const payment = { transactionId: intent.id, cents: intent.amountCents };
  if (news) await tellParties(tx, deps, { bookingId: booking.id, news, payment });
  return { id, state: honoured ? arrival.honoured : arrival.late };
}

async function findRecorded(tx: Tx, transactionId: string) {
  return await tx
    .selectFrom("payments")
    .select(["id", "state"])
    .where("transaction_id", "=", transactionId)
    .executeTakeFirst();
}

/** Gives the buyer the laptop: from their hold, or back while it is still free; answers which, if either. */
async function honour(tx: Tx, booking: Booking, at: Date) {
  const { id: bookingId, buyer_id: buyerId, product_id: productId } = booking;
  const move = { bookingId, at, actor: buyerId };
  if (await moveBooking(tx, { ...move, transition: "pay" })) return "paid";
  if (!(await areStillMembers(tx, { buyerId, productId }))) return undefined;
  return (await moveBooking(tx, { ...move, transition: "reclaim" })) ? "reclaimed" : undefined;
}

type NewPayment = {
  intent: Intent;
  bookingId: string;
  source: PaymentSource;
  honoured: boolean;
  at: Date;
};

async function insertPayment(
  tx: Tx,
  { intent, bookingId, source, honoured, at }: NewPayment,
): Promise<string> {
  const id = newId(at);
  await tx
    .insertInto("payments")
    .values({
      id,
      transaction_id: intent.id,
      booking_id: bookingId,
      amount_cents: intent.amountCents,
      currency: intent.currency,
      state: honoured ? arrival.honoured : arrival.late,
      recorded_by: source,
      recorded_at: at,
    })
    .execute();
  const detail = { source, honoured, amountCents: intent.amountCents };
  await recordAudit(tx, {
    at,
    actor: null,
    verb: "settle",
    object: "payment",
    objectId: id,
    detail,
  });
  if (!honoured) await enqueue(tx, "refundPayment", { payload: { paymentId: id } });
  return id;
}
