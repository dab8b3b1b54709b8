import type { DisputeState } from "#contract/life-cycle.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { type DealJournals, dealJournals, type Journal } from "./deal-journals.ts";
import { type JournalSubject, postedJournals, postJournals } from "./post-journal.ts";

type Deal = JournalSubject & { bookingId: string };
type PaymentOfDeal = Deal & { intentId: string };

type ReportedPayment = {
  intent: Intent;
  /** As recorded, because an older report may be handled late. */
  disputeStates: ReadonlyMap<string, DisputeState>;
  /** It has no journals yet. */
  isNew: boolean;
  /** It is not the booking's own, and goes back as a whole. */
  ofOther: boolean;
};

/**
 * Posts what the provider reports of a payment and the ledger lacks. The caller has locked the booking. Returns the
 * journals from before.
 */
export async function postPayment(
  tx: Tx,
  deal: Deal,
  { intent, disputeStates, isNew, ofOther }: ReportedPayment,
): Promise<Journal[]> {
  const posted = isNew ? [] : await postedJournals(tx, deal.bookingId);
  const journals = dealJournals(posted, { intentId: intent.id, ...(ofOther && { ofOther }) });
  journals.charge(intent);
  // The provider lists the newest first.
  for (const refund of intent.refunds.toReversed()) journals.refund(refund);
  for (const dispute of intent.disputes.toReversed())
    journals.dispute(dispute, disputeStates.get(dispute.id) ?? dispute.state);
  await postAdded(tx, deal, journals);
  return posted;
}

/** Posts a refund that the provider has accepted, also a pending one: its money has left the balance. The caller has locked the booking. */
export async function postRefund(
  tx: Tx,
  deal: PaymentOfDeal,
  refund: { id: string; amountCents: number },
): Promise<void> {
  const journals = await journalsOf(tx, deal);
  journals.refund({ ...refund, state: "pending" });
  await postAdded(tx, deal, journals);
}

/** Posts what an admin has sent the buyer in another way, `id` telling one time from another. The caller has locked the booking. */
export async function postSentRefund(
  tx: Tx,
  deal: PaymentOfDeal,
  { id, cents }: { id: string; cents: number },
): Promise<void> {
  const journals = await journalsOf(tx, deal);
  journals.sendRefund(id, cents);
  await postAdded(tx, deal, journals);
}

async function journalsOf(tx: Tx, { bookingId, intentId }: PaymentOfDeal): Promise<DealJournals> {
  const { intent_id } = await tx
    .selectFrom("bookings")
    .select("intent_id")
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const ofOther = isOther(intent_id, intentId);
  return dealJournals(await postedJournals(tx, bookingId), {
    intentId,
    ...(ofOther && { ofOther }),
  });
}

/** Whether a payment is not by the intent of its booking. */
export function isOther(intentOfBooking: string | null, intentId: string): boolean {
  return intentOfBooking !== null && intentOfBooking !== intentId;
}

async function postAdded(tx: Tx, deal: Deal, journals: DealJournals): Promise<void> {
  journals.coverLoss(deal.bookingId);
  await postJournals(tx, deal, journals.added());
}
