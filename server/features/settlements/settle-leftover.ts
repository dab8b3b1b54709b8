import { formatPrice, toCents, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals, postJournals } from "../ledger/post-journal.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";
import { refundToCard } from "../settlement-lifecycle/claim-partial-refund.ts";
import { postRelease } from "../settlement-lifecycle/release-journal.ts";
import { settlementEmails } from "./emails.ts";
import { readLeftover, toBuyerOf } from "./leftover.ts";
import { lookUpEarlierTransfers } from "./make-transfer.ts";
import { canBePaid } from "./payout-accounts.ts";

type Decision = { bookingId: string; to: "buyer" | "seller"; amount: number };

/**
 * An admin sends on what has come back to a settled deal (decision 0104). Refuses `NOT_FOUND`, and `STALE` if that is
 * another amount by now.
 */
export async function settleLeftover(
  deps: Deps,
  admin: Member,
  { bookingId, to, amount }: Decision,
): Promise<void> {
  // A transfer that was taken for lost may have reached the seller before their account was closed.
  await lookUpEarlierTransfers(deps, bookingId);
  await transact(deps.db, "settleLeftover", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!booking) throw new AppError("NOT_FOUND", "There is no such deal.");
    const { cents, waits } = await readLeftover(tx, bookingId);
    if (cents !== toCents(amount)) throw new AppError("STALE", isNow(cents));
    await tx
      .updateTable("settlements")
      .set({ leftover_alarmed_at: null })
      .where("booking_id", "=", bookingId)
      .execute();
    const leftover = { bookingId, cents, waits, actor: admin.id };
    if (to === "seller") await releaseLeftover(tx, deps, leftover);
    else await refundLeftover(tx, deps, leftover);
  });
}

function isNow(cents: number): string {
  if (cents === 0) return "Nothing is left over in this deal any more. Load the page again.";
  return `${formatPrice(toDollars(cents))} is left over by now. Load the page again.`;
}

/** `actor`: null if no admin has decided in time. `creditCents`: what the job has just returned as credit. */
export type SentLeftover = {
  bookingId: string;
  cents: number;
  waits: boolean;
  actor: string | null;
  creditCents?: number;
};

/** The job `settleDeals` sends it like any money of the seller. Refuses `STALE` if they can't receive it. */
export async function releaseLeftover(
  tx: Tx,
  deps: Deps,
  { bookingId, cents, actor }: SentLeftover,
): Promise<void> {
  const { seller_id } = await tx
    .selectFrom("settlements")
    .select("seller_id")
    .where("booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  if (!(await canBePaid(tx, seller_id)))
    throw new AppError(
      "STALE",
      "The seller can't receive money now: they have no account for it, or are suspended. Ask them to connect one, or refund the buyer.",
    );
  const move = { bookingId, at: deps.clock.now(), actor, detail: { cents } };
  await applySettlement(tx, { ...move, transition: "releaseLeftover" });
  const { round } = await tx
    .updateTable("settlements")
    .set(({ eb }) => ({ round: eb("round", "+", 1) }))
    .where("booking_id", "=", bookingId)
    .returning("round")
    .executeTakeFirstOrThrow();
  await postRelease(tx, deps, { bookingId, id: `leftover ${round}` });
}

/** Refuses `STALE` if the buyer has all that they paid by card. */
export async function refundLeftover(
  tx: Tx,
  deps: Deps,
  { bookingId, cents, waits, actor, creditCents = 0 }: SentLeftover,
): Promise<void> {
  const at = deps.clock.now();
  const journals = dealJournals(await postedJournals(tx, bookingId));
  const refundCents = toBuyerOf(cents, journals);
  if (refundCents === 0)
    throw new AppError("STALE", "The buyer has all of their money back. Send it to the seller.");
  if (waits) await recallFromSeller(tx, deps, { bookingId, cents: refundCents, actor });
  await refundToCard(tx, { bookingId, cents: refundCents, at, journals });
  await reduceEarned(tx, bookingId, refundCents);
  await reduceEarnedByFee(tx, bookingId, cents - refundCents);
  const by = { at, actor, verb: "refund leftover", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { cents: refundCents } });
  const payment = { transactionId: "", cents: refundCents, creditCents };
  await notifyParties(tx, deps, { bookingId, email: settlementEmails.partRefunded, payment });
}

/**
 * Of a sale of which the seller keeps nothing they haven't earned the shop's fee either. `leftCents`: what is still with the shop
 * and goes to nobody yet.
 */
export async function reduceEarnedByFee(
  tx: Tx,
  bookingId: string,
  leftCents: number,
): Promise<void> {
  const journals = dealJournals(await postedJournals(tx, bookingId));
  if (leftCents > 0 || journals.transferred() > 0) return;
  await reduceEarned(tx, bookingId, Math.max(0, -journals.balance("fee_revenue")));
}

type Recalled = { bookingId: string; cents: number; actor: string | null };

/** What the buyer doesn't get goes on waiting for the seller. */
async function recallFromSeller(
  tx: Tx,
  { config, clock }: Deps,
  { bookingId, cents, actor }: Recalled,
): Promise<void> {
  const at = clock.now();
  const journals = dealJournals(await postedJournals(tx, bookingId));
  journals.recall(newId(at), cents);
  await postJournals(tx, { bookingId, currency: config.currency, at }, journals.added());
  if (journals.balance("seller_payable") < 0) return;
  const transition = journals.transferred() > 0 ? "recallLeftover" : "findEmpty";
  await applySettlement(tx, { bookingId, transition, at, actor, detail: { cents } });
}
