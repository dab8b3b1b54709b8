import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { settlePayment } from "../money/settle-payment.ts";
import { isOverdue, isPartyTo } from "./booking-columns.ts";
import { bookingEmails } from "./deal-emails.ts";
import { notifyParties } from "./notify-parties.ts";
import { applyTransition } from "./transition.ts";

type Ending = {
  bookingId: string;
  transition: "expire" | "cancel";
  actor: string | null;
};

const emails = { expire: bookingEmails.expired, cancel: bookingEmails.cancelled };

/**
 * First cancels the payment intent, so that nobody can pay for an ended hold. If the intent was
 * already paid, records the payment. Returns whether the hold ended.
 */
export async function endHold(deps: Deps, ending: Ending): Promise<boolean> {
  const { bookingId, transition, actor } = ending;
  const booking = await deps.db
    .selectFrom("bookings")
    .select(["state", "intent_id"])
    .where("id", "=", bookingId)
    .executeTakeFirst();
  if (!booking) return false;
  const { state, intent_id: intent } = booking;
  if (state === "held" && intent !== null && !(await cancelIntent(deps, intent))) return false;
  const ended = await transact(deps.db, `endHold ${bookingId} ${intent}`, async (tx) => {
    const unchanged = await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .where("intent_id", "is not distinct from", intent)
      .forUpdate()
      .executeTakeFirst();
    if (!unchanged) return undefined;
    const moved = await applyTransition(tx, { bookingId, transition, at: deps.clock.now(), actor });
    if (moved)
      await notifyParties(tx, deps, { bookingId, email: emails[transition], except: actor });
    return moved;
  });
  // `ended` is undefined if a new payment intent was created meanwhile.
  return ended ?? (await endHold(deps, ending));
}

async function cancelIntent(deps: Deps, intentId: string): Promise<boolean> {
  const intent = await deps.cards.cancelIntent(intentId);
  // `settlePayment` marks the booking as paid. If it can't, `endHold` still ends the hold.
  if (intent.status === "succeeded") await settlePayment(deps, intent, "reconciler");
  return intent.status === "cancelled" || intent.status === "succeeded";
}

export async function expireOverdueHold(deps: Deps, productId: string): Promise<void> {
  const overdue = await deps.db
    .selectFrom("bookings")
    .select("id")
    .where("product_id", "=", productId)
    .where(isOverdue(deps.clock.now()))
    .executeTakeFirst();
  if (overdue) await endHold(deps, { bookingId: overdue.id, transition: "expire", actor: null });
}

/** Job `expireHold`. Throws if the hold can't end yet, so that the job retries. */
export async function expireHold(deps: Deps, bookingId: string): Promise<void> {
  if (await endHold(deps, { bookingId, transition: "expire", actor: null })) return;
  const held = await deps.db
    .selectFrom("bookings")
    .select("id")
    .where("id", "=", bookingId)
    .where("state", "=", "held")
    .executeTakeFirst();
  if (held) throw new Error("the payment intent of the hold could not be canceled");
}

/** Throws `BOOKING_NOT_PAYABLE` or `NOT_FOUND`. */
export async function cancelBooking(deps: Deps, member: Member, bookingId: string): Promise<void> {
  await deps.db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select("bookings.id")
    .where("bookings.id", "=", bookingId)
    .where(isPartyTo(member.id))
    .executeTakeFirstOrThrow(orNotFound("You have no such booking."));
  const ended = await endHold(deps, { bookingId, transition: "cancel", actor: member.id });
  if (!ended)
    throw new AppError(
      "BOOKING_NOT_PAYABLE",
      "This booking has already been paid for or has ended.",
    );
}
