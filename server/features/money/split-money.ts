import { sql } from "kysely";
import { feeOf } from "#contract/fee.ts";
import type { Tx } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { agreedFee } from "../deals/fee-times-and-promo.ts";
import { changeDeal, type Deal, readDeal } from "../ledger/post-journal.ts";
import { decideRefund } from "../ledger/post-payment.ts";
import { returnContribution } from "../rewards/discount-and-credit.ts";
import { followRefund } from "./follow-refund.ts";
import { reduceEarned } from "./refunded-amounts.ts";
import { closeDeal, isOpen } from "./settlement.ts";

/** `toBuyer`: the buyer's share of the money, in cents. */
type Decision = { bookingId: string; toBuyer: number | "all"; actor: string | null };

/** `cents`: card money, credit and the returned discount together. */
type Decided = { cardCents: number; creditCents: number; cents: number };

/**
 * Splits the money that a deal holds (docs/money.md). The buyer gets card money first. If `toBuyer`
 * is the full price or more, the whole payment goes back. Jobs send the money. Requires a locked
 * booking without an open dispute.
 */
export async function decide(tx: Tx, deps: Deps, decision: Decision): Promise<Decided> {
  const { bookingId, toBuyer } = decision;
  const at = deps.clock.now();
  const deal = { bookingId, currency: deps.shop.currency, at };
  const { price_cents } = await tx
    .selectFrom("bookings")
    .select("price_cents")
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const isWhole = toBuyer === "all" || toBuyer >= price_cents;
  const decided = isWhole
    ? await refundWhole(tx, deps, { ...decision, at })
    : await refundPart(tx, deps, deal, toBuyer);
  const journals = await readDeal(tx, deal);
  const due = journals.held() > 0 ? await releaseRest(tx, deal) : journals.due();
  const reopened = { closed_at: null, round: sql<number>`round + (closed_at is not null)::int` };
  const closed = isWhole ? { closed_at: sql<Date>`coalesce(closed_at, ${at})` } : {};
  await tx
    .updateTable("settlements")
    .set({ decided_at: at, reminders: 0, retry_at: null, ...(due > 0 ? reopened : closed) })
    .where("booking_id", "=", bookingId)
    .execute();
  await followDecision(tx, deal);
  return decided;
}

async function refundWhole(
  tx: Tx,
  deps: Deps,
  { bookingId, actor, at }: Decision & { at: Date },
): Promise<Decided> {
  const { id, currency } = await tx
    .updateTable("payments")
    .set({ goes_back: true, given_up_at: null, retry_at: null })
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

/** Refunds card money first, and returns credit and discount only for the rest. */
async function refundPart(tx: Tx, deps: Deps, deal: Deal, toBuyer: number): Promise<Decided> {
  if (toBuyer === 0) return { cardCents: 0, creditCents: 0, cents: 0 };
  const { bookingId, at } = deal;
  const journals = await readDeal(tx, deal);
  const part = Math.min(toBuyer, journals.held());
  const cardPart = Math.max(0, Math.min(part, journals.paidByCard() - journals.owed()));
  const maxCents = part - cardPart;
  const returned = await returnContribution(tx, { bookingId, at, maxCents, id: newId(at) });
  const cardCents = await decideRefund(tx, deal, cardPart);
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

/** Releases a locked deal's remaining money to the seller. Returns the cents to send. */
export async function releaseRest(tx: Tx, deal: Deal): Promise<number> {
  const { bookingId } = deal;
  const { fee } = await tx
    .selectFrom("bookings")
    .select(agreedFee)
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  return await changeDeal(tx, deal, (journals) =>
    journals.release(`${bookingId}:${journals.count("release") + 1}`, (cents) => feeOf(cents, fee)),
  );
}

/** Releases money that came back to a locked, open deal, or closes the deal if it has none. */
export async function followDecision(tx: Tx, deal: Deal): Promise<void> {
  const { bookingId, at } = deal;
  if (!(await isOpen(tx, bookingId))) return;
  let journals = await readDeal(tx, deal);
  if (
    journals.contributed() > 0 &&
    journals.paidByCard() <= 0 &&
    // If the shop granted a partial refund, leftover discount and credit belong to the seller.
    journals.count("refund_decided") === 0
  ) {
    const { cents } = await returnContribution(tx, { bookingId, at });
    await reduceEarned(tx, bookingId, cents);
    journals = await readDeal(tx, deal);
  }
  const due = journals.held() > 0 ? await releaseRest(tx, deal) : journals.due();
  if (due === 0) await closeDeal(tx, { bookingId, at, verb: "findEmpty" });
}
