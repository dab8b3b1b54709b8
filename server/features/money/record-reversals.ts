import { type Transfer, transferGroupOf } from "../../adapters/cards/seller-payouts-port.ts";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { changeDeal } from "../ledger/post-journal.ts";
import { absent, changeMove, listUnconfirmedMoves } from "./money-moves.ts";

/** An attempt becomes `made` as its reversal is posted, so that a debt is either open or paid. */
export async function recordReversals(deps: Deps, bookingId: string): Promise<void> {
  for (const transfer of await deps.cards.findTransfers(transferGroupOf(bookingId)))
    if (transfer.reversals.length > 0) await recordReversalsOf(deps, bookingId, transfer);
}

async function recordReversalsOf(deps: Deps, bookingId: string, made: Transfer): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordReversals ${made.id}`, async (tx) => {
    const transfer = await tx
      .selectFrom("bookings")
      .innerJoin("money_moves", "money_moves.booking_id", "bookings.id")
      .select(["money_moves.id", "money_moves.cents", "money_moves.reversed_cents"])
      .where("money_moves.provider_id", "=", made.id)
      .where("bookings.id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!transfer) return;
    await changeDeal(tx, { bookingId, currency: deps.shop.currency, at }, (journals) => {
      // The provider lists the newest reversal first.
      for (const { id, amountCents } of made.reversals.toReversed())
        journals.reverseTransfer({ id, cents: amountCents });
    });
    // Another process may have recorded a newer response from the provider.
    const reversedCents = Math.max(made.reversedCents, transfer.reversed_cents);
    await tx
      .updateTable("money_moves")
      .set({ reversed_cents: reversedCents })
      .where("id", "=", transfer.id)
      .execute();
    for (const move of await listUnconfirmedMoves(tx, { bookingId, kind: "reversal" })) {
      const own = made.reversals.find(({ metadata }) => metadata.moveId === move.id);
      if (own) await changeMove(tx, move.id, { state: "made", providerId: own.id, at });
      // The whole transfer was already taken back, so the provider would reject this attempt.
      else if (move.state === "intended" && reversedCents >= transfer.cents)
        await changeMove(tx, move.id, { state: "refused", refusal: absent, at });
    }
  });
}
