import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { notifyParties } from "../email/notify.ts";
import { settlePayment } from "../payments/settle-payment.ts";
import { applyTransition } from "./transition.ts";

type Ending = {
  bookingId: string;
  transition: "expire" | "cancel";
  actor: string | null;
};

const events = { expire: "expired", cancel: "cancelled" } as const;

/**
 * Ends an unpaid hold and frees its product. The payment intent is cancelled first, so nothing can be
 * paid for what is no longer held; where money had arrived already it is settled instead. Answers
 * whether the hold ended by this.
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
  if (state === "held" && intent !== null && !(await closeIntent(deps, intent))) return false;
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
      await notifyParties(tx, deps, { bookingId, event: events[transition], except: actor });
    return moved;
  });
  // An intent was opened since we looked, and could still be paid.
  return ended ?? (await endHold(deps, ending));
}

/** Whether the intent can no longer be paid. */
async function closeIntent(deps: Deps, intentId: string): Promise<boolean> {
  const intent = await deps.cards.cancelIntent(intentId);
  // Money that came is recorded: the booking is paid now, or, where it can't be honoured, ends all the same.
  if (intent.status === "succeeded") await settlePayment(deps, intent, "reconciler");
  return intent.status === "cancelled" || intent.status === "succeeded";
}

/** A hold that has run out counts as expired from that moment, whether its job has run or not. */
export async function expireOverdueHold(deps: Deps, productId: string): Promise<void> {
  const overdue = await deps.db
    .selectFrom("bookings")
    .select("id")
    .where("product_id", "=", productId)
    .where("state", "=", "held")
    .where("held_until", "<=", deps.clock.now())
    .executeTakeFirst();
  if (overdue) await endHold(deps, { bookingId: overdue.id, transition: "expire", actor: null });
}

/** The job of a hold whose time has run out. Throws, to be tried again, while it can't be ended. */
export async function expireHold(deps: Deps, bookingId: string): Promise<void> {
  if (await endHold(deps, { bookingId, transition: "expire", actor: null })) return;
  const held = await deps.db
    .selectFrom("bookings")
    .select("id")
    .where("id", "=", bookingId)
    .where("state", "=", "held")
    .executeTakeFirst();
  if (held) throw new Error("the hold's payment is still open at the provider");
}
