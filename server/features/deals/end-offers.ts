import { newOfferState, offerTransitions } from "#contract/life-cycle.ts";
import { addPendingJobs } from "../../db/committed-changes.ts";
import type { Tx } from "../../db/database.ts";

/** Also clears the buyer's contact details. */
export function closedAt(at: Date) {
  return { closed_at: at, phone: "", location: "" };
}

type Ending = {
  at: Date;
  /** If absent, ends all offers. */
  fromCents?: number;
  /** The offer being accepted, which `markAccepted` closes. */
  except?: string | undefined;
};

/** A database trigger adds audit rows and emails. The caller has locked the laptop. */
export function endOffers(tx: Tx, productId: string, { at, fromCents, except }: Ending) {
  addPendingJobs(tx);
  return tx
    .updateTable("offers")
    .set({ state: offerTransitions.end.to, ...closedAt(at) })
    .where("product_id", "=", productId)
    .where("state", "=", newOfferState)
    .$if(fromCents !== undefined, (query) => query.where("price_cents", ">=", fromCents ?? 0))
    .$if(except !== undefined, (query) => query.where("id", "<>", except ?? ""));
}

/** For a deleted or suspended member, or a new admin. */
export async function endOffersOf(tx: Tx, memberId: string, at: Date): Promise<void> {
  addPendingJobs(tx);
  for (const side of ["buyer_id", "seller_id"] as const)
    await tx
      .updateTable("offers")
      .set({ state: offerTransitions.end.to, ...closedAt(at) })
      .where(side, "=", memberId)
      .where("state", "=", newOfferState)
      .execute();
}

/** Returns false if the offer is no longer open; the caller then rolls the booking back. */
export async function markAccepted(
  tx: Tx,
  { offerId, bookingId, at }: { offerId: string; bookingId: string; at: Date },
): Promise<boolean> {
  const accepted = await tx
    .updateTable("offers")
    .set({ state: offerTransitions.accept.to, booking_id: bookingId, ...closedAt(at) })
    .where("id", "=", offerId)
    .where("state", "=", newOfferState)
    .where("expires_at", ">", at)
    .executeTakeFirst();
  return accepted.numUpdatedRows > 0n;
}
