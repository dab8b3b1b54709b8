import { type RawBuilder, sql } from "kysely";
import { formatPrice, toCents, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError, orNotFound } from "../../errors.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import type { DealJournals } from "../ledger/deal-journals.ts";
import { changeDeal, readDeal } from "../ledger/post-journal.ts";
import { lookUpTransfers } from "./pay-out-deal.ts";
import { canBePaid, isUnclaimed } from "./payout-accounts.ts";
import { reduceEarned } from "./refunded-amounts.ts";
import { settlementEmails } from "./settlement-emails.ts";
import { decide } from "./split-money.ts";

/**
 * `toBuyerCents`: the part paid by card. `waits`: whether the money belongs to a seller who can't
 * receive it.
 */
export type Leftover = { cents: number; toBuyerCents: number; waits: boolean };

/** SQL on `bookings`: no refund of the kept payment is owed, and no dispute or inquiry is open. */
const isQuiet = sql<boolean>`(bookings.payout_held_at is null
  and exists (
    select from payments p where p.booking_id = bookings.id and p.state = 'succeeded' and p.owed_since is null))`;

const hasEnded = sql<boolean>`(settlements.closed_at is not null and settlements.handed_over_at is not null)`;

/**
 * SQL: deals that are closed, handed over and `isQuiet`, but hold `cents`. `since`: the last event
 * of a kind that can leave money over.
 */
export const cameBackCents: RawBuilder<unknown> = sql`
  select settlements.booking_id, held as cents, came_back.at as since
  from (
    select booking_id, max(at) as at from ledger_journals
    where kind in ('refund_failed', 'dispute_reversed', 'dispute_reinstated', 'transfer_reversal', 'refund_sent')
    group by booking_id) as came_back
  join settlements using (booking_id) join bookings on bookings.id = booking_id
  cross join lateral (
    select -sum(cents) as held from ledger_journals j join ledger_entries on journal_id = j.id
    where j.booking_id = settlements.booking_id
      and account in ('deal_held', 'dispute_reserve', 'seller_payable')) as money
  where held > 0 and ${hasEnded} and ${isQuiet}`;

/**
 * Returns the money that an admin must give to the buyer or the seller. Zero while a dispute or
 * inquiry is open or a refund is owed.
 */
export async function readLeftover(
  tx: Tx,
  terms: Pick<Deps, "clock" | "config">,
  bookingId: string,
): Promise<Leftover> {
  const found = await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("settlements.closed_at")
    .where("settlements.booking_id", "=", bookingId)
    .where(isQuiet)
    .where(sql<boolean>`(${hasEnded} or settlements.releasing and ${isUnclaimed(terms)})`)
    .executeTakeFirst();
  if (!found) return { cents: 0, toBuyerCents: 0, waits: false };
  const waits = found.closed_at === null;
  const journals = await readDeal(tx, { bookingId });
  if (waits) journals.recallAll("unclaimed");
  const cents = Math.max(0, journals.held());
  return { cents, toBuyerCents: toBuyerOf(cents, journals), waits };
}

function toBuyerOf(cents: number, journals: DealJournals): number {
  return Math.max(0, Math.min(cents, journals.paidByCard()));
}

type Decision = { bookingId: string; to: "buyer" | "seller"; amount: number; reason: string };

/**
 * Gives leftover money to the buyer or the seller. Throws `NOT_FOUND`. Throws `STALE` if the amount
 * has changed, or goes to a seller who can't receive money. Throws `INVALID_INPUT` if the buyer
 * gets the seller's money without a reason.
 */
export async function settleLeftover(
  deps: Deps,
  admin: Member,
  { bookingId, to, amount, reason }: Decision,
): Promise<void> {
  // A transfer that seemed lost may have reached the seller before their account was closed.
  await lookUpTransfers(deps, bookingId);
  await transact(deps.db, "settleLeftover", async (tx) => {
    await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirstOrThrow(orNotFound("There is no such deal."));
    const leftover = await readLeftover(tx, deps, bookingId);
    if (leftover.cents !== toCents(amount)) throw new AppError("STALE", isNow(leftover.cents));
    const decision = { bookingId, actor: admin.id, reason, ...leftover };
    if (to === "seller") await releaseLeftover(tx, deps, decision);
    else await refundLeftover(tx, deps, decision);
  });
}

function isNow(cents: number): string {
  if (cents === 0) return "Nothing is left over in this deal anymore. Load the page again.";
  return `${formatPrice(toDollars(cents))} is left over by now. Load the page again.`;
}

type Sent = Leftover & { bookingId: string; actor: string; reason: string };

/** Releases the money to the seller. The job `settleDeals` sends the money. */
async function releaseLeftover(tx: Tx, deps: Deps, { bookingId, cents, actor }: Sent) {
  const { can_be_paid } = await tx
    .selectFrom("settlements")
    .select(canBePaid.as("can_be_paid"))
    .where("booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  if (!can_be_paid)
    throw new AppError(
      "STALE",
      "The seller can't receive money now: they have no account for it, or are suspended. Ask them to connect one, or refund the buyer.",
    );
  await decide(tx, deps, { bookingId, toBuyer: 0, actor });
  const by = { at: deps.clock.now(), actor, verb: "releaseLeftover", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { cents } });
}

/** Refunds card money to the card, and returns the rest as the credit or discount that was used. */
async function refundLeftover(
  tx: Tx,
  deps: Deps,
  { bookingId, cents, waits, actor, reason }: Sent,
): Promise<void> {
  const at = deps.clock.now();
  if (waits && reason === "")
    throw fieldError("reason", "Say why the seller doesn't get it: both are told.");
  const deal = { bookingId, currency: deps.shop.currency, at };
  // The money belonged to the seller, who now gets none of it.
  if (waits) await changeDeal(tx, deal, (journals) => journals.recallAll(newId(at)));
  const decided = await decide(tx, deps, { bookingId, toBuyer: cents, actor });
  const journals = await readDeal(tx, deal);
  // If the seller keeps nothing, the fee doesn't count as their earnings either.
  const keepsNothing = decided.cents === cents && journals.transferred() === 0;
  if (keepsNothing)
    await reduceEarned(tx, bookingId, Math.max(0, -journals.balance("fee_revenue")));
  const by = { at, actor, verb: "refund leftover", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { cents: decided.cents, reason } });
  const { cardCents, creditCents } = decided;
  const payment = { cents: cardCents, sellerCents: decided.cents, creditCents };
  const { buyer, seller } = settlementEmails.returned;
  const email = waits ? { buyer, seller } : { buyer };
  await notifyParties(tx, deps, { bookingId, email, payment, reason });
}
