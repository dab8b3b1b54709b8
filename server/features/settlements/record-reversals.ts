import type { Transfer } from "../../adapters/cards/seller-payouts-port.ts";
import { transferGroupOf } from "../../adapters/cards/seller-payouts-port.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { changeDeal } from "../ledger/post-journal.ts";

/**
 * Records what the provider took back of a booking's transfers, in its dashboard or by this shop. An attempt of the shop
 * becomes `made` in the transaction that posts it, so that a debt is either open or paid.
 */
export async function recordReversals(deps: Deps, bookingId: string): Promise<void> {
  for (const transfer of await deps.cards.findTransfers(transferGroupOf(bookingId)))
    if (transfer.reversals.length > 0) await recordReversalsOf(deps, bookingId, transfer);
}

async function recordReversalsOf(deps: Deps, bookingId: string, made: Transfer): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordReversals ${made.id}`, async (tx) => {
    const transfer = await tx
      .selectFrom("bookings")
      .innerJoin("transfers", "transfers.booking_id", "bookings.id")
      .select(["transfers.id", "transfers.cents", "transfers.state", "transfers.currency"])
      .select("transfers.reversed_cents")
      .where("transfers.provider_id", "=", made.id)
      .where("bookings.id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!transfer) return;
    await changeDeal(tx, { bookingId, currency: transfer.currency, at }, (journals) => {
      // The provider lists the newest first.
      for (const { id, amountCents } of made.reversals.toReversed())
        journals.reverseTransfer({ id, cents: amountCents });
    });
    for (const { id, metadata } of made.reversals)
      if (metadata.reversalId !== undefined)
        await recordMade(tx, { id: metadata.reversalId, bookingId, providerId: id });
    // Another process may have recorded a newer answer of the provider.
    const reversedCents = Math.max(made.reversedCents, transfer.reversed_cents);
    const isWhole = reversedCents >= transfer.cents;
    await tx
      .updateTable("transfers")
      .set({ reversed_cents: reversedCents, state: isWhole ? "reversed" : transfer.state })
      .where("id", "=", transfer.id)
      .execute();
    if (isWhole) await refuseOpen(tx, transfer.id);
  });
}

/** Nothing is left for an attempt that is not among the reversals: if its call arrives later, the provider refuses it. */
async function refuseOpen(tx: Tx, transferId: string): Promise<void> {
  await tx
    .updateTable("transfer_reversals")
    .set({ state: "refused", refusal: "absent" })
    .where("transfer_id", "=", transferId)
    .where("state", "=", "intended")
    .execute();
}

type MadeReversal = { id: string; bookingId: string; providerId: string };

async function recordMade(tx: Tx, { id, bookingId, providerId }: MadeReversal): Promise<void> {
  await tx
    .updateTable("transfer_reversals")
    .set({ state: "made", provider_id: providerId, refusal: null })
    .where("id", "=", id)
    .where("booking_id", "=", bookingId)
    .where("state", "in", ["intended", "refused"])
    .execute();
}
