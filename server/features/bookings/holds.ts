import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { settle } from "../payments/settle.ts";
import { moveBooking } from "./transition.ts";

type Ending = { bookingId: string; transition: "expire" | "cancel"; actor: string | null };

/**
 * Ends an unpaid hold and frees its product. The payment intent is cancelled first, so nothing can be
 * paid for what is no longer held; where money had arrived already it is settled instead. Answers
 * whether the hold ended by this.
 */
export async function endHold(
  deps: Deps,
  { bookingId, transition, actor }: Ending,
): Promise<boolean> {
  const booking = await deps.db
    .selectFrom("bookings")
    .select("intent_id")
    .where("id", "=", bookingId)
    .where("state", "=", "held")
    .executeTakeFirst();
  if (!booking) return false;
  if (booking.intent_id !== null && !(await closeIntent(deps, booking.intent_id))) return false;
  return await transact(deps.db, "endHold", async (tx) => {
    // An intent that was opened since then could still be paid: the hold stays, and its job tries again.
    const unchanged = await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .where("intent_id", "is not distinct from", booking.intent_id)
      .forUpdate()
      .executeTakeFirst();
    if (!unchanged) return false;
    return await moveBooking(tx, { bookingId, transition, at: deps.clock.now(), actor });
  });
}

/** Whether the intent can no longer be paid. */
async function closeIntent(deps: Deps, intentId: string): Promise<boolean> {
  const intent = await deps.cards.cancelIntent(intentId);
  if (intent.status === "succeeded") await settle(deps, intent, "reconciler");
  return intent.status === "cancelled";
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
