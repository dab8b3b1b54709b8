import type { DisputeState } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { type DealJournals, dealJournals, type Journal } from "./deal-journals.ts";
import { type JournalSubject, postedJournals, postJournals } from "./post-journal.ts";

type Deal = JournalSubject & { bookingId: string };

type ReportedPayment = {
  intent: Intent;
  /** As recorded, because an older report may be handled late. */
  disputeStates: ReadonlyMap<string, DisputeState>;
  /** It has no journals yet. */
  isNew: boolean;
};

/**
 * Posts what the provider reports of a payment and the ledger lacks. The caller has locked the booking. Returns the
 * journals from before.
 */
export async function postPayment(
  tx: Tx,
  deal: Deal,
  { intent, disputeStates, isNew }: ReportedPayment,
): Promise<Journal[]> {
  const posted = isNew ? [] : await postedJournals(tx, deal.bookingId);
  const journals = dealJournals(posted);
  journals.charge(intent);
  // The provider lists the newest first.
  for (const refund of intent.refunds.toReversed()) journals.refund(refund);
  for (const dispute of intent.disputes.toReversed())
    journals.dispute(dispute, disputeStates.get(dispute.id) ?? dispute.state);
  await postAdded(tx, deal, journals);
  return posted;
}

/** Posts a refund that the provider has accepted. The caller has locked the booking. */
export async function postRefund(
  tx: Tx,
  deal: Deal,
  refund: { id: string; amountCents: number },
): Promise<void> {
  const journals = dealJournals(await postedJournals(tx, deal.bookingId));
  journals.refund({ ...refund, failed: false });
  await postAdded(tx, deal, journals);
}

/** Posts what an admin has sent the buyer in another way, `id` telling one time from another. The caller has locked the booking. */
export async function postSentRefund(
  tx: Tx,
  deal: Deal,
  { id, cents }: { id: string; cents: number },
): Promise<void> {
  const journals = dealJournals(await postedJournals(tx, deal.bookingId));
  journals.sendRefund(id, cents);
  await postAdded(tx, deal, journals);
}

async function postAdded(tx: Tx, deal: Deal, journals: DealJournals): Promise<void> {
  journals.coverLoss(deal.bookingId);
  await postJournals(tx, deal, journals.added());
}
