import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { returnContribution } from "../credits/return-contribution.ts";
import { changeDeal, type Deal, readDeal } from "../ledger/post-journal.ts";
import { decideRefund } from "../ledger/post-payment.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";
import { followRefund } from "./follow-refund.ts";

type Decision = { bookingId: string; toBuyerCents: number; actor: string | null };

/** What the buyer gets: to their card, as credit, and in all with what the shop had added. */
type Decided = { cardCents: number; creditCents: number; cents: number };

/**
 * Decides who gets the money that a deal holds (docs/money.md): so many cents the buyer, of what their card has paid first,
 * and the seller the rest, less the fee. Jobs send it. As much as the price is all of the payment. The caller has locked the
 * booking, knows that no bank is deciding, writes down why, and tells both sides.
 */
export async function decide(tx: Tx, deps: Deps, decision: Decision): Promise<Decided> {
  const { bookingId, toBuyerCents } = decision;
  const at = deps.clock.now();
  const deal = { bookingId, currency: deps.config.currency, at };
  const { price_cents } = await tx
    .selectFrom("bookings")
    .select("price_cents")
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const isWhole = toBuyerCents >= price_cents;
  const decided = isWhole
    ? await refundWhole(tx, deps, { ...decision, at })
    : await refundPart(tx, deps, deal, toBuyerCents);
  const journals = await readDeal(tx, deal);
  const due = journals.held() > 0 ? await releaseRest(tx, deal) : journals.due();
  await tx
    .updateTable("settlements")
    .set({ decided_at: at, reminders: 0, retry_at: null })
    .$if(isWhole, (query) => query.set({ closed_at: sql<Date>`coalesce(closed_at, ${at})` }))
    .$if(due > 0, (query) =>
      query.set({ closed_at: null, round: sql<number>`round + (closed_at is not null)::int` }),
    )
    .where("booking_id", "=", bookingId)
    .execute();
  await closeIfEmpty(tx, deal);
  return decided;
}

/** All of a booking's payment goes back, and what the shop had added to it. */
async function refundWhole(
  tx: Tx,
  deps: Deps,
  { bookingId, actor, at }: Decision & { at: Date },
): Promise<Decided> {
  const { id, currency } = await tx
    .updateTable("payments")
    .set({ goes_back: true })
    .where("booking_id", "=", bookingId)
    .where("state", "=", "succeeded")
    .returning(["id", "currency"])
    .executeTakeFirstOrThrow();
  await recordAudit(tx, { at, actor, verb: "giveBack", object: "payment", objectId: id });
  const cardCents = await decideRefund(tx, { bookingId, currency, at });
  const { cents, creditCents } = await returnContribution(tx, { bookingId, at });
  await followRefund(tx, deps, { paymentId: id });
  return { cardCents, creditCents, cents: cardCents + cents };
}

/** Credit and discount get back only what the card has not paid. */
async function refundPart(tx: Tx, deps: Deps, deal: Deal, toBuyerCents: number): Promise<Decided> {
  if (toBuyerCents === 0) return { cardCents: 0, creditCents: 0, cents: 0 };
  const { bookingId, at } = deal;
  const journals = await readDeal(tx, deal);
  const part = Math.min(toBuyerCents, journals.held());
  const ofCard = Math.max(0, Math.min(part, journals.paidByCard() - journals.owed()));
  const most = part - ofCard;
  const returned = await returnContribution(tx, { bookingId, at, most, id: newId(at) });
  const cardCents = await decideRefund(tx, deal, ofCard);
  const cents = cardCents + returned.cents;
  await reduceEarned(tx, bookingId, cents);
  const { id: paymentId } = await tx
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("state", "=", "succeeded")
    .executeTakeFirstOrThrow();
  await followRefund(tx, deps, { paymentId });
  return { cardCents, creditCents: returned.creditCents, cents };
}

/** The shop's fee for a sale of so many cents. */
export function feeOf(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}

/**
 * Posts that what a deal holds is the seller's, less the fee agreed at the hold. Returns the cents still to be sent to
 * them. The caller has locked the booking.
 */
export async function releaseRest(tx: Tx, deal: Deal): Promise<number> {
  const { bookingId } = deal;
  const { fee_percent } = await tx
    .selectFrom("bookings")
    .select("fee_percent")
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  return await changeDeal(tx, deal, (journals) =>
    journals.release(`${bookingId}:${journals.count("release") + 1}`, (cents) =>
      feeOf(cents, fee_percent),
    ),
  );
}

/**
 * Closes a deal of which nothing is left for its seller, whether they have an account or not. Does nothing before the
 * decision, while a bank decides, or a transfer is under way. The caller has locked the booking.
 */
export async function closeIfEmpty(
  tx: Tx,
  { bookingId, at }: { bookingId: string; at: Date },
): Promise<boolean> {
  if (!(await isOpen(tx, bookingId))) return false;
  let journals = await readDeal(tx, { bookingId });
  if (
    journals.contributed() > 0 &&
    journals.paidByCard() <= 0 &&
    // Of a part that the shop has refunded, discount and credit that are left are the seller's.
    journals.count("refund_decided") === 0
  ) {
    const { cents } = await returnContribution(tx, { bookingId, at });
    await reduceEarned(tx, bookingId, cents);
    journals = await readDeal(tx, { bookingId });
  }
  if (journals.held() + journals.due() > 0) return false;
  await closeDeal(tx, { bookingId, at, verb: "findEmpty" });
  return true;
}

async function isOpen(tx: Tx, bookingId: string): Promise<boolean> {
  const open = await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("settlements.booking_id")
    .where("settlements.booking_id", "=", bookingId)
    .where("settlements.decided_at", "is not", null)
    .where("settlements.closed_at", "is", null)
    .where("bookings.payout_held_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("money_moves")
            .select("id")
            .where("money_moves.booking_id", "=", bookingId)
            .whereRef("money_moves.round", "=", "settlements.round")
            .where("money_moves.state", "in", ["intended", "made"]),
        ),
      ),
    )
    .executeTakeFirst();
  return open !== undefined;
}

type Closing = {
  bookingId: string;
  at: Date;
  verb: "payOut" | "findEmpty";
  detail?: Record<string, string | number>;
};

/** Nothing of a deal is left to be sent to its seller: they have it, or there was none. The caller has locked the booking. */
export async function closeDeal(
  tx: Tx,
  { bookingId, at, verb, detail = {} }: Closing,
): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ closed_at: at, retry_at: null })
    .where("booking_id", "=", bookingId)
    .execute();
  await recordAudit(tx, { at, actor: null, verb, object: "booking", objectId: bookingId, detail });
}
