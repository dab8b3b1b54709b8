import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { recordDealChange } from "../deals/announce-deal-change.ts";
import type { BookingEmail } from "../deals/booking-email.ts";
import { currentTimes } from "../deals/fee-times-and-promo.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { requireDecided } from "../money/dispute-checks.ts";
import { decide } from "../money/split-money.ts";
import { complaintEmails } from "./emails.ts";

/** `atOnce`: a full refund doesn't wait for the laptop's return. */
type Decision = {
  bookingId: string;
  refundCents: number;
  words: string;
  actor: string | null;
  atOnce?: boolean;
};

/**
 * Applies a decision to a locked booking and complaint. A full refund waits for the laptop's
 * return, unless `atOnce` is set, the reason is `not_received`, or the buyer already has the money.
 * Throws `STALE` while the bank decides a dispute.
 */
export async function applyDecision(
  tx: Tx,
  deps: Deps,
  { bookingId, refundCents, words, actor, atOnce = false }: Decision,
): Promise<void> {
  const at = deps.clock.now();
  await requireDecided(tx, bookingId);
  const { reason, priceCents, isPaidBack } = await readMoney(tx, bookingId);
  const isWhole = refundCents >= priceCents && !isPaidBack;
  const waits = isWhole && !atOnce && reason !== "not_received";
  const returnMs = currentTimes(deps).returnDays * 24 * 3_600_000;
  const returnBy = waits ? new Date(at.getTime() + returnMs) : null;
  await tx
    .updateTable("complaints")
    .set({ decided_at: at, decided_by: actor, decision_words: words, refund_cents: refundCents })
    .set({ return_by: returnBy })
    .where("booking_id", "=", bookingId)
    .execute();
  await recordDealChange(tx, bookingId);
  const move = { bookingId, refundCents, actor };
  if (!returnBy) return await moveMoney(tx, deps, { ...move, email: complaintEmails.refunded });
  const by = { at, actor, verb: "ask for return", object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, { ...by, detail: { refundCents } });
  await notifyParties(tx, deps, { bookingId, email: complaintEmails.toReturn, until: returnBy });
}

/**
 * Starts the refund that waits for the laptop's return, unless the buyer already has the money.
 * Returns false if no refund waits. Throws `STALE` while the bank decides a dispute. Requires a
 * locked booking.
 */
export async function completeReturn(
  tx: Tx,
  deps: Deps,
  { bookingId, actor }: { bookingId: string; actor: string },
): Promise<boolean> {
  const waiting = await tx
    .updateTable("complaints")
    .set({ return_by: null })
    .where("booking_id", "=", bookingId)
    .where("return_by", "is not", null)
    .returning("refund_cents")
    .executeTakeFirst();
  if (!waiting) return false;
  await requireDecided(tx, bookingId);
  const by = { at: deps.clock.now(), actor, object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, { ...by, verb: "confirm return", detail: {} });
  await recordDealChange(tx, bookingId);
  const move = { bookingId, refundCents: waiting.refund_cents ?? 0, actor };
  await moveMoney(tx, deps, { ...move, email: complaintEmails.returned });
  return true;
}

type Money = Awaited<ReturnType<typeof readMoney>>;

async function readMoney(tx: Tx, bookingId: string) {
  const { reason, price_cents: priceCents } = await tx
    .selectFrom("complaints")
    .innerJoin("bookings", "bookings.id", "complaints.booking_id")
    .select(["complaints.reason", "bookings.price_cents"])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const journals = await readDeal(tx, { bookingId });
  // The buyer's bank or a refund may already have returned all the money.
  const isPaidBack = Math.min(journals.held(), journals.paidByCard() - journals.owed()) <= 0;
  return { reason, priceCents, isPaidBack };
}

/** `email` is about a full refund. Other outcomes have their own emails. */
type Outcome = Pick<Decision, "bookingId" | "refundCents" | "actor"> & { email: BookingEmail };

async function moveMoney(tx: Tx, deps: Deps, outcome: Outcome): Promise<void> {
  const { bookingId, refundCents, actor } = outcome;
  await tx.deleteFrom("handover_codes").where("booking_id", "=", bookingId).execute();
  const money = await readMoney(tx, bookingId);
  const toBuyer = money.isPaidBack ? 0 : refundCents;
  const verb = toBuyer === 0 ? "startRelease" : "startRefund";
  const by = { at: deps.clock.now(), actor, object: "booking", objectId: bookingId } as const;
  if (!money.isPaidBack) await recordAudit(tx, { ...by, verb, detail: { refundCents } });
  const { cardCents, creditCents, cents } = await decide(tx, deps, { bookingId, toBuyer, actor });
  const payment = { cents: cardCents, sellerCents: cents, creditCents };
  const isPart = toBuyer > 0 && toBuyer < money.priceCents;
  const email = emailOf({ ...outcome, ...money });
  await notifyParties(tx, deps, { bookingId, email, ...(isPart && { payment }) });
}

function emailOf({ isPaidBack, refundCents, priceCents, email }: Outcome & Money): BookingEmail {
  if (isPaidBack) return complaintEmails.paidBack;
  if (refundCents === 0) return complaintEmails.rejected;
  return refundCents >= priceCents ? email : complaintEmails.partlyRefunded;
}
