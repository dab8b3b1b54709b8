import type { Tx } from "../../db/database.ts";
import { type DealJournals, dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";
import { listNotLost } from "./disputed-money.ts";

/**
 * Of the parts of the price that were meant for the buyer, what they don't have yet, in cents: it is still to be
 * refunded, or their bank sent it back. It counts how they got it, so also what an admin or their bank gave them for
 * good.
 */
export async function owedToBuyer(
  tx: Tx,
  bookingId: string,
  journals?: DealJournals,
): Promise<number> {
  const meant = await readMeant(tx, bookingId);
  if (meant === 0) return 0;
  const deal = journals ?? dealJournals(await postedJournals(tx, bookingId));
  return Math.max(0, meant - (await readPaidBack(tx, bookingId, deal)));
}

/** Another part is meant for the buyer. The caller has locked the booking. */
export async function oweToBuyer(
  tx: Tx,
  { bookingId, cents, journals }: { bookingId: string; cents: number; journals: DealJournals },
): Promise<void> {
  const owed = await owedToBuyer(tx, bookingId, journals);
  const paidBack = await readPaidBack(tx, bookingId, journals);
  await writeMeant(tx, bookingId, paidBack + owed + cents);
}

type SentBack = { bookingId: string; cents: number; before: DealJournals };

/**
 * The buyer's bank has sent back so many cents since `before`. They are the buyer's, unless another refund has replaced
 * them by now.
 */
export async function oweSentBack(tx: Tx, { bookingId, cents, before }: SentBack): Promise<void> {
  const journals = dealJournals(await postedJournals(tx, bookingId));
  const hadBefore = await readPaidBack(tx, bookingId, before);
  const had = Math.min(hadBefore, (await readPaidBack(tx, bookingId, journals)) + cents);
  await writeMeant(tx, bookingId, Math.max(await readMeant(tx, bookingId), had));
}

/**
 * What the buyer has back of a payment, in cents. What the bank has only withdrawn for a dispute is not theirs: it comes
 * back if the shop wins.
 */
export async function readPaidBack(
  tx: Tx,
  bookingId: string,
  journals: DealJournals,
): Promise<number> {
  return journals.paidBack({ without: await listNotLost(tx, bookingId) });
}

/** All of the payment goes back by its own life cycle, also what was owed of a part. */
export async function oweNoPart(tx: Tx, bookingId: string): Promise<void> {
  await writeMeant(tx, bookingId, 0);
}

/** What the buyer is to have back in all. A decision of the version before is read from its first refund. */
async function readMeant(tx: Tx, bookingId: string): Promise<number> {
  const settlement = await tx
    .selectFrom("settlements")
    .select("return_cents")
    .where("booking_id", "=", bookingId)
    .executeTakeFirst();
  if (settlement?.return_cents != null) return settlement.return_cents;
  const part = await tx
    .selectFrom("partial_refunds")
    .innerJoin("complaints", "complaints.booking_id", "partial_refunds.booking_id")
    .select(["partial_refunds.cents", "complaints.paid_back_cents"])
    .where("partial_refunds.booking_id", "=", bookingId)
    .where("partial_refunds.attempt", "=", 1)
    .executeTakeFirst();
  return part ? part.cents + part.paid_back_cents : 0;
}

async function writeMeant(tx: Tx, bookingId: string, return_cents: number): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ return_cents })
    .where("booking_id", "=", bookingId)
    .execute();
}
