import { formatPrice, toCents, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { returnContribution } from "../credits/return-contribution.ts";
import { changeDeal, readDeal } from "../ledger/post-journal.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";
import { refundPart } from "../money/refund-booking.ts";
import { postRelease } from "../settlement-lifecycle/release-journal.ts";
import { settlementEmails } from "./emails.ts";
import { type Leftover, readLeftover } from "./leftover.ts";
import { lookUpTransfers } from "./make-transfer.ts";
import { canBePaid } from "./payout-accounts.ts";

type Decision = { bookingId: string; to: "buyer" | "seller"; amount: number; reason: string };

/**
 * An admin sends on what is left over in a deal, or what can't reach its seller. Refuses `NOT_FOUND`; `STALE` if that is
 * another amount by now, or the seller can't receive it; and `INVALID_INPUT` for the seller's money without a reason.
 */
export async function settleLeftover(
  deps: Deps,
  admin: Member,
  { bookingId, to, amount, reason }: Decision,
): Promise<void> {
  // A transfer that was taken for lost may have reached the seller before their account was closed.
  await lookUpTransfers(deps, bookingId);
  await transact(deps.db, "settleLeftover", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!booking) throw new AppError("NOT_FOUND", "There is no such deal.");
    const leftover = await readLeftover(tx, deps, bookingId);
    if (leftover.cents !== toCents(amount)) throw new AppError("STALE", isNow(leftover.cents));
    const decision = { bookingId, actor: admin.id, reason, ...leftover };
    if (to === "seller") await releaseLeftover(tx, deps, decision);
    else await refundLeftover(tx, deps, decision);
  });
}

function isNow(cents: number): string {
  if (cents === 0) return "Nothing is left over in this deal any more. Load the page again.";
  return `${formatPrice(toDollars(cents))} is left over by now. Load the page again.`;
}

type Sent = Leftover & { bookingId: string; actor: string; reason: string };

/** The job `settleDeals` sends it like any money of the seller. */
async function releaseLeftover(tx: Tx, deps: Deps, { bookingId, cents, actor }: Sent) {
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

/** What the card has paid goes back there; the rest, as the credit or discount it was paid with. */
async function refundLeftover(tx: Tx, deps: Deps, sent: Sent): Promise<void> {
  const { bookingId, cents, toBuyerCents, waits, actor, reason } = sent;
  const at = deps.clock.now();
  if (waits && reason === "") {
    const message = "Say why the seller doesn't get it: both are told.";
    throw new AppError("INVALID_INPUT", message, { reason: message });
  }
  if (waits) await recallFromSeller(tx, deps, sent);
  const most = cents - toBuyerCents;
  const returned = await returnContribution(tx, { bookingId, at, most, id: newId(at) });
  if (toBuyerCents > 0) await refundPart(tx, deps, { bookingId, cents: toBuyerCents });
  const journals = await readDeal(tx, { bookingId });
  const backCents = toBuyerCents + returned.cents;
  // Of a sale of which the seller keeps nothing, they haven't earned the shop's fee either.
  const keepsNothing = backCents === cents && journals.transferred() === 0;
  const feeCents = keepsNothing ? Math.max(0, -journals.balance("fee_revenue")) : 0;
  await reduceEarned(tx, bookingId, backCents + feeCents);
  const by = { at, actor, verb: "refund leftover", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { cents: backCents, reason } });
  const { creditCents } = returned;
  const payment = {
    ...{ transactionId: "", cents: toBuyerCents, sellerCents: backCents, creditCents },
  };
  const { buyer, seller } = settlementEmails.returned;
  const email = { kind: "payment" as const, buyer, ...(waits && { seller }) };
  await notifyParties(tx, deps, { bookingId, email, payment, reason });
}

/** Nothing of it is the seller's any more. */
async function recallFromSeller(
  tx: Tx,
  { config, clock }: Deps,
  { bookingId, actor, cents }: Sent,
) {
  const at = clock.now();
  const deal = { bookingId, currency: config.currency, at };
  const transferred = await changeDeal(tx, deal, (journals) => {
    journals.recallAll(newId(at));
    return journals.transferred();
  });
  const transition = transferred > 0 ? "recallLeftover" : "findEmpty";
  await applySettlement(tx, { bookingId, transition, at, actor, detail: { cents } });
}
