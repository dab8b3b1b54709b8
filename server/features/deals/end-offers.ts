import { newOfferState, offerTransitions } from "#contract/life-cycle.ts";
import { addPendingJobs } from "../../db/committed-changes.ts";
import type { Tx } from "../../db/database.ts";

/** Returns a closed offer's columns, with the buyer's contact details cleared. */
export function closedAt(at: Date) {
  return { closed_at: at, phone: "", location: "" };
}

type Ending = {
  at: Date;
  /** The lowest price of the offers to end. By default, all open offers end. */
  fromCents?: number;
  /** The offer being accepted. */
  except?: string | undefined;
};

/** Builds a query that ends a locked laptop's open offers. A trigger adds audit rows and emails. */
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

/** Ends the open offers to and from a member. */
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
