import type { z } from "zod";
import { formatPrice, toCents, toDollars } from "#contract/money.ts";
import type {
  createPaymentIntent as intentCall,
  recordPayment as recordCall,
} from "#contract/payments.ts";
import type { CardEvent, Intent } from "../../adapters/cards/port.ts";
import { transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { Member } from "../members/members.ts";
import { settlePayment } from "./settle-payment.ts";

type PayableBooking = { id: string; price_cents: number; intent_id: string | null };

/**
 * The client secret of a booking's payment intent, the same one however often asked, over the booking's
 * own price. Refuses `PRICE_CHANGED`, `BOOKING_NOT_PAYABLE`, `NOT_FOUND`, `PROVIDER_UNAVAILABLE`.
 */
export async function createPaymentIntent(
  deps: Deps,
  buyer: Member,
  { price, bookingId }: z.output<typeof intentCall.body>,
): Promise<string> {
  const booking = await findPayable(deps, buyer, bookingId);
  if (booking.price_cents !== toCents(price)) {
    throw new AppError(
      "PRICE_CHANGED",
      `The amount due is ${formatPrice(toDollars(booking.price_cents))}.`,
    );
  }
  const intent = await intentOf(deps, buyer, booking);
  if (intent.status === "succeeded") await settlePayment(deps, intent, "buyer");
  if (intent.status !== "open") throw notPayable();
  return intent.clientSecret;
}

async function findPayable(
  deps: Deps,
  buyer: Member,
  bookingId: string | undefined,
): Promise<PayableBooking> {
  const own = deps.db
    .selectFrom("bookings")
    .select(["id", "price_cents", "intent_id", "state", "held_until"])
    .where("buyer_id", "=", buyer.id);
  const found =
    bookingId === undefined
      ? await own
          .where("state", "=", "held")
          .where("held_until", ">", deps.clock.now())
          .limit(2)
          .execute()
      : await own.where("id", "=", bookingId).execute();
  const [booking, another] = found;
  if (!booking) throw new AppError("NOT_FOUND", "There is no such booking of yours.");
  if (another)
    throw new AppError("BOOKING_NOT_PAYABLE", "Say which booking: you hold more than one.");
  if (booking.state !== "held" || booking.held_until <= deps.clock.now()) throw notPayable();
  return booking;
}

function notPayable(): AppError {
  return new AppError(
    "BOOKING_NOT_PAYABLE",
    "This booking is paid for already or has run out. Look at My Orders.",
  );
}

async function intentOf(deps: Deps, buyer: Member, booking: PayableBooking): Promise<Intent> {
  if (booking.intent_id !== null) return await deps.cards.findIntent(booking.intent_id);
  const intent = await deps.cards.openIntent({
    bookingId: booking.id,
    amountCents: booking.price_cents,
    currency: deps.config.currency,
    email: buyer.email,
  });
  const kept = await deps.db
    .updateTable("bookings")
    .set({ intent_id: intent.id })
    .where("id", "=", booking.id)
    .where("state", "=", "held")
    .executeTakeFirst();
  if (kept.numUpdatedRows > 0n) return intent;
  // The hold ended while we asked: what nobody can honour must not be payable.
  await deps.cards.cancelIntent(intent.id);
  throw notPayable();
}

/**
 * Records what the buyer's browser says was paid, on the provider's word alone. Refuses
 * `PAYMENT_NOT_CONFIRMED`, `BOOKING_NOT_PAYABLE` (the money goes back), `NOT_FOUND`.
 */
export async function recordPayment(
  deps: Deps,
  buyer: Member,
  { price, transactionId, bookingId }: z.output<typeof recordCall.body>,
): Promise<{ id: string; repeated: boolean }> {
  const booking = await deps.db
    .selectFrom("bookings")
    .select(["price_cents", "intent_id"])
    .where("id", "=", bookingId)
    .where("buyer_id", "=", buyer.id)
    .executeTakeFirst();
  if (!booking) throw new AppError("NOT_FOUND", "There is no such booking of yours.");
  if (booking.intent_id !== transactionId || booking.price_cents !== toCents(price))
    throw notConfirmed();
  const settled = await settlePayment(deps, await deps.cards.findIntent(transactionId), "buyer");
  if (!settled) throw notConfirmed();
  if (settled.fulfilled) return { id: settled.paymentId, repeated: settled.repeated };
  const message =
    "Your booking had run out and the laptop is no longer free. Your money is on its way back.";
  throw new AppError("BOOKING_NOT_PAYABLE", message);
}

function notConfirmed(): AppError {
  return new AppError(
    "PAYMENT_NOT_CONFIRMED",
    "The card provider does not confirm this payment for this booking.",
  );
}

/**
 * Notes that an event of the provider has come, once, and leaves what follows from it to a job. What it says
 * is not kept: the job asks the provider how things stand, and the event names people.
 */
export async function storeWebhookEvent(
  deps: Deps,
  { id, type, intentId }: CardEvent,
): Promise<void> {
  await transact(deps.db, "storeWebhookEvent", async (tx) => {
    const kept = await tx
      .insertInto("webhook_events")
      .values({ id, type, received_at: deps.clock.now() })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (kept.numInsertedOrUpdatedRows === 0n) return;
    if (intentId !== undefined) await enqueue(tx, "settleIntent", { payload: { intentId } });
  });
}

/** Asks the provider how an intent stands and settles it: the job of a webhook. */
export async function settleIntent(deps: Deps, intentId: string): Promise<void> {
  await settlePayment(deps, await deps.cards.findIntent(intentId), "webhook");
}
