import type { DisputeState } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { DealJournals } from "./deal-journals.ts";
import { changeDeal, type Deal, postedJournals, postJournals } from "./post-journal.ts";

type ReportedPayment = {
  intent: Intent;
  /** The recorded states of the disputes, which may be newer than the states in `intent`. */
  disputeStates: ReadonlyMap<string, DisputeState>;
  isNew: boolean;
  /** Whether the buyer gets the whole payment back. */
  goesBack: boolean;
};

/** Posts what the provider reports and the ledger lacks. Requires a locked booking. */
export async function postPayment(
  tx: Tx,
  deal: Deal,
  { intent, disputeStates, isNew, goesBack }: ReportedPayment,
): Promise<DealJournals> {
  const posted = isNew ? [] : await postedJournals(tx, deal.bookingId, deal.intentId);
  const journals = new DealJournals(posted, deal.intentId);
  journals.charge(intent);
  // The provider lists the newest refunds first.
  const refunds = intent.refunds.toReversed();
  for (const refund of refunds) {
    const isNew = journals.refund(refund);
    // A failed refund is undone at once, because the next refund may settle the buyer's claim.
    if (isNew && refund.state === "failed") journals.failRefund(refund.id);
  }
  for (const dispute of intent.disputes.toReversed())
    journals.dispute(dispute, disputeStates.get(dispute.id) ?? dispute.state);
  for (const { id, state } of refunds) if (state === "failed") journals.failRefund(id);
  if (goesBack) journals.decideRefund(nextDecision(deal, journals), intent.amountCents);
  journals.coverLoss(deal.bookingId);
  await postJournals(tx, deal, journals.added());
  return journals;
}

/** Assigns up to `cents` to the buyer. Returns the newly owed cents. Requires a locked booking. */
export async function decideRefund(
  tx: Tx,
  deal: Deal,
  cents: number = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  return await changeDeal(tx, deal, (journals) =>
    journals.decideRefund(nextDecision(deal, journals), cents),
  );
}

function nextDecision({ bookingId, intentId }: Deal, journals: DealJournals): string {
  return `${intentId ?? bookingId}:${journals.count("refund_decided") + 1}`;
}

/** Returns the deal of a payment. A second payment's journals are kept apart, by `intentId`. */
export function dealOf(deal: Deal, intentOfBooking: string | null, intentId: string): Deal {
  return intentOfBooking === null || intentOfBooking === intentId ? deal : { ...deal, intentId };
}
