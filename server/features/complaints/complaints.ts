import type { z } from "zod";
import type {
  Complaint,
  complaintAnswerForm,
  complaintDecisionForm,
  newComplaint,
} from "#contract/complaints.ts";
import { formatPrice, toCents, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError, orNotFound } from "../../errors.ts";
import { recordDealChange } from "../deals/announce-deal-change.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { attachPhotos } from "../images/attach-photos.ts";
import { refuseParties } from "../staff/conflict-of-interest.ts";
import { applyDecision } from "./apply-decision.ts";
import { askAdminsToDecide } from "./complaint-deadlines.ts";
import { complaintUntil } from "./complaint-times.ts";
import { complaintEmails } from "./emails.ts";

const decided = "This complaint has been decided. Load the page again.";

/**
 * Stops the release of the money. Throws `NOT_FOUND` and the errors of `attachPhotos`. Throws
 * `STALE` before the handover, after the complaint window or a decision about the money, and for a
 * second complaint.
 */
export async function complain(
  deps: Deps,
  buyer: Member,
  { bookingId, reason, words, photos }: z.output<typeof newComplaint>,
): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, "complain", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .innerJoin("settlements", "settlements.booking_id", "bookings.id")
      .select(["settlements.handed_over_at", "settlements.decided_at"])
      .select("bookings.complaint_minutes")
      .where("bookings.id", "=", bookingId)
      .where("bookings.buyer_id", "=", buyer.id)
      .forUpdate()
      .executeTakeFirstOrThrow(orNotFound("You have no such order."));
    const handedOver = booking.decided_at === null ? booking.handed_over_at : null;
    if (handedOver === null || complaintUntil(handedOver, booking) <= at) throw notOpen();
    await tx
      .insertInto("complaints")
      .values({ booking_id: bookingId, reason, words, opened_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning("booking_id")
      .executeTakeFirstOrThrow(notOpen);
    const by = { at, actor: buyer.id, verb: "complain", object: "booking" } as const;
    await recordAudit(tx, { ...by, objectId: bookingId, detail: { reason } });
    await attachPhotos(tx, buyer, { complaintId: bookingId, photos });
    await recordDealChange(tx, bookingId);
    const until = new Date(at.getTime() + deps.config.settlement.answerMs);
    await notifyParties(tx, deps, { bookingId, email: complaintEmails.opened, until });
  });
}

function notOpen(): AppError {
  return new AppError(
    "STALE",
    "You can say that something is wrong once, after the handover and before the seller gets the money.",
  );
}

type Locking = { bookingId: string; role: Complaint["role"]; member: Member };

/**
 * Throws `NOT_FOUND` unless the member has this role in the deal. Throws `STALE` for a decided
 * complaint, unless an admin decides again while the refund waits for the laptop's return.
 */
async function lockOpen(tx: Tx, { bookingId, role, member }: Locking) {
  const found = await tx
    .selectFrom("bookings")
    .innerJoin("complaints", "complaints.booking_id", "bookings.id")
    .innerJoin("settlements", "settlements.booking_id", "bookings.id")
    .select(["complaints.answer", "complaints.offered_cents", "complaints.decided_at"])
    .select("complaints.return_by")
    .select(["bookings.buyer_id", "settlements.seller_id"])
    .select(["settlements.decided_at as settled_at", "bookings.price_cents"])
    .where("bookings.id", "=", bookingId)
    .$if(role === "buyer", (query) => query.where("bookings.buyer_id", "=", member.id))
    .$if(role === "seller", (query) => query.where("settlements.seller_id", "=", member.id))
    .forUpdate()
    .executeTakeFirstOrThrow(orNotFound("There is no such complaint."));
  const waits = role === "admin" && found.return_by !== null;
  if ((found.decided_at !== null && !waits) || found.settled_at !== null)
    throw new AppError("STALE", decided);
  return found;
}

type Answer = z.output<typeof complaintAnswerForm> & { bookingId: string };

/**
 * Throws `NOT_FOUND`, `STALE` (decided, the seller has already disagreed, or a refund during a
 * dispute), `INVALID_INPUT` (missing offer, or not below the price), and the errors of
 * `attachPhotos`.
 */
export async function answerComplaint(
  deps: Deps,
  seller: Member,
  { bookingId, answer, words, offer, photos }: Answer,
): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, "answerComplaint", async (tx) => {
    const locking = { bookingId, role: "seller", member: seller } as const;
    const { answer: before, price_cents } = await lockOpen(tx, locking);
    if (before === "disagree") throw new AppError("STALE", "An admin decides now.");
    const cents = offer === undefined ? null : toCents(offer);
    if (answer === "offer" && (cents === null || cents >= price_cents))
      throw fieldError("offer", `Offer a part of ${formatPrice(toDollars(price_cents))}.`);
    await tx
      .updateTable("complaints")
      .set({ answer, answer_words: words, answered_at: at })
      .set({ offered_cents: answer === "offer" ? cents : null })
      .where("booking_id", "=", bookingId)
      .execute();
    await attachPhotos(tx, seller, { complaintId: bookingId, photos });
    await recordDealChange(tx, bookingId);
    const by = { at, actor: seller.id, verb: "answer complaint", object: "booking" } as const;
    await recordAudit(tx, { ...by, objectId: bookingId, detail: { answer, offerCents: cents } });
    if (answer === "refund") {
      const decision = { refundCents: price_cents, words: "The seller agreed to it.", actor: null };
      return await applyDecision(tx, deps, { bookingId, ...decision });
    }
    if (answer === "disagree") await askAdminsToDecide(tx, deps, bookingId);
    const email = answer === "offer" ? complaintEmails.offer : complaintEmails.disagreed;
    const payment = { cents: cents ?? 0 };
    await notifyParties(tx, deps, { bookingId, email, payment, except: seller.id });
  });
}

type Agreement = { bookingId: string; agree: "offer" | "withdraw"; offer: number | null };

/** Throws `NOT_FOUND`, and `STALE` (decided, in dispute, or the offer has changed). */
export async function closeComplaint(
  deps: Deps,
  buyer: Member,
  { bookingId, agree, offer }: Agreement,
): Promise<void> {
  await transact(deps.db, "closeComplaint", async (tx) => {
    const { offered_cents } = await lockOpen(tx, { bookingId, role: "buyer", member: buyer });
    if (agree === "offer" && (offered_cents === null || offer !== toDollars(offered_cents)))
      throw new AppError("STALE", "The seller has changed their offer. Look at it again.");
    const refundCents = agree === "offer" ? (offered_cents ?? 0) : 0;
    const words = agree === "offer" ? "The buyer accepted the offer." : "The buyer withdrew it.";
    const by = { at: deps.clock.now(), actor: buyer.id, verb: `${agree} complaint` };
    await recordAudit(tx, { ...by, object: "booking", objectId: bookingId });
    await applyDecision(tx, deps, { bookingId, refundCents, words, actor: null });
  });
}

type Decision = z.output<typeof complaintDecisionForm> & { bookingId: string };

/**
 * Throws `NOT_FOUND`, `STALE` (decided, or in dispute), `FORBIDDEN` (the admin is buyer or seller),
 * and `INVALID_INPUT` (refund above the price).
 */
export async function decideComplaint(
  deps: Deps,
  admin: Member,
  { bookingId, refund, words, atOnce }: Decision,
): Promise<void> {
  await transact(deps.db, "decideComplaint", async (tx) => {
    const locking = { bookingId, role: "admin", member: admin } as const;
    const { price_cents, ...deal } = await lockOpen(tx, locking);
    refuseParties(admin, [deal.buyer_id, deal.seller_id]);
    const refundCents = toCents(refund);
    if (refundCents > price_cents)
      throw fieldError("refund", `Enter at most ${formatPrice(toDollars(price_cents))}.`);
    await applyDecision(tx, deps, { bookingId, refundCents, words, actor: admin.id, atOnce });
  });
}
