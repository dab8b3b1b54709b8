import { randomInt } from "node:crypto";
import { type Handover, maxWrongHandoverCodes } from "#contract/handover.ts";
import { isOpenBooking } from "#contract/life-cycle.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError } from "../../errors.ts";
import { isSameHash, keyedHash, keyFor } from "../../keyed-hash.ts";
import { completeReturn } from "../complaints/apply-decision.ts";
import { complaintUntil } from "../complaints/complaint-times.ts";
import { recordDealChange } from "./announce-deal-change.ts";
import { isPartyTo, meetingColumn, shownState, toMeeting } from "./booking-columns.ts";
import { bookingEmails } from "./deal-emails.ts";
import { lockOwnDeal, noSuchDeal } from "./lock-deal.ts";
import { notifyParties } from "./notify-parties.ts";
import { applyTransition } from "./transition.ts";

/**
 * Confirms a handover for the buyer, or a return for the seller. Throws `NOT_FOUND`, and `STALE` if
 * it isn't due or, for a return, while the bank decides a dispute.
 */
export async function confirmHandover(
  deps: Deps,
  member: Member,
  bookingId: string,
): Promise<void> {
  await transact(deps.db, "confirmHandover", async (tx) => {
    const deal = await lockOwnDeal(tx, deps, { member, bookingId });
    const complete = deal.role === "buyer" ? completeHandover : completeReturn;
    if (!(await complete(tx, deps, { ...deal, actor: member.id })))
      throw new AppError("STALE", "You can confirm a handover once, after the laptop is paid for.");
  });
}

/** Replaces an earlier code. Throws `NOT_FOUND`, and `STALE` if no handover or return is due. */
export async function issueHandoverCode(
  deps: Deps,
  buyer: Member,
  bookingId: string,
): Promise<{ code: string; issuedAt: string }> {
  const issuedAt = deps.clock.now();
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  await transact(deps.db, "issueHandoverCode", async (tx) => {
    const own = { member: buyer, bookingId };
    const { state, seller_id, return_by, role } = await lockOwnDeal(tx, deps, own);
    if (role !== "buyer") throw noSuchDeal();
    if (state === "completed" && !return_by)
      throw new AppError("STALE", "This laptop has been handed over to you. Enjoy it!");
    if (state !== "paid" && !return_by)
      throw new AppError("STALE", "You get a code once the laptop is paid for.");
    const hash = hashOf(deps, { id: bookingId, sellerId: seller_id, code });
    const issued = { hash, wrong_tries: 0, issued_at: issuedAt };
    await tx
      .insertInto("handover_codes")
      .values({ ...issued, booking_id: bookingId })
      .onConflict((conflict) => conflict.column("booking_id").doUpdateSet(issued))
      .execute();
  });
  return { code, issuedAt: issuedAt.toISOString() };
}

type CodeEntry = { id: string; code: string };

/**
 * Confirms a handover or return by the buyer's code. After five wrong codes, the buyer needs a new
 * code. Throws `WRONG_HANDOVER_CODE`, `HANDOVER_CODE_LOCKED`, `NOT_FOUND`, and `STALE` if no
 * handover or return is due or, for a return, while the bank decides a dispute.
 */
export async function confirmHandoverByCode(
  deps: Deps,
  seller: Member,
  { id: bookingId, code }: CodeEntry,
): Promise<void> {
  const { triesLeft } = await transact(deps.db, "confirmHandoverByCode", async (tx) => {
    const deal = await lockOwnDeal(tx, deps, { member: seller, bookingId });
    const { state, return_by } = deal;
    if (deal.role !== "seller") throw noSuchDeal();
    const complete = return_by ? completeReturn : completeHandover;
    const notWaiting = new AppError(
      "STALE",
      "This laptop isn't paid for, or has been handed over already.",
    );
    if (state !== "paid" && !return_by) throw notWaiting;
    const hash = hashOf(deps, { id: bookingId, sellerId: seller.id, code });
    const left = await countWrongCode(tx, bookingId, hash);
    if (left === null && !(await complete(tx, deps, { ...deal, actor: seller.id })))
      throw notWaiting;
    // Wrapped in an object, because `transact` would replay a bare null as undefined.
    return { triesLeft: left };
  });
  // Thrown after the transaction, so that the number of wrong tries is committed.
  if (triesLeft !== null) throw wrongCode(triesLeft);
}

/** Returns the tries left; null if the code is right. Requires a locked booking. */
async function countWrongCode(tx: Tx, bookingId: string, hash: string): Promise<number | null> {
  const issued = await tx
    .selectFrom("handover_codes")
    .select(["hash", "wrong_tries"])
    .where("booking_id", "=", bookingId)
    .executeTakeFirst();
  if (!issued)
    throw fieldError(
      "code",
      "The buyer hasn't asked for a code yet. It's in their My Orders.",
      "WRONG_HANDOVER_CODE",
    );
  const left = maxWrongHandoverCodes - issued.wrong_tries;
  if (left === 0) return 0;
  if (isSameHash(issued.hash, hash)) return null;
  await tx
    .updateTable("handover_codes")
    .set(({ eb }) => ({ wrong_tries: eb("wrong_tries", "+", 1) }))
    .where("booking_id", "=", bookingId)
    .execute();
  if (left === 1) await recordDealChange(tx, bookingId);
  return left - 1;
}

function wrongCode(triesLeft: number): AppError {
  if (triesLeft === 0)
    return fieldError(
      "code",
      "Too many wrong codes. Ask the buyer to show you a new one.",
      "HANDOVER_CODE_LOCKED",
    );
  const left = triesLeft === 1 ? "1 try is left." : `${triesLeft} tries are left.`;
  const message = `That isn't the buyer's current code. ${left}`;
  return fieldError("code", message, "WRONG_HANDOVER_CODE");
}

async function completeHandover(
  tx: Tx,
  deps: Deps,
  { bookingId, actor, ...agreed }: { bookingId: string; actor: string; complaint_minutes: number },
): Promise<boolean> {
  const move = { bookingId, transition: "complete", at: deps.clock.now(), actor } as const;
  if (!(await applyTransition(tx, move))) return false;
  const until = complaintUntil(move.at, agreed);
  const email = bookingEmails.handedOver;
  await notifyParties(tx, deps, { bookingId, email, until, except: actor });
  return true;
}

/** Hashes a code with a key, because a plain hash of six digits could be brute-forced. */
function hashOf(
  { config }: Deps,
  { id, sellerId, code }: CodeEntry & { sellerId: string },
): string {
  const key = keyFor("hand-over codes", config.secret);
  return keyedHash(key, `${id} ${sellerId} ${code}`);
}

/** Throws `NOT_FOUND` unless the caller is the buyer or seller. */
export async function readHandover(
  { db, clock }: Deps,
  member: Member,
  bookingId: string,
): Promise<Handover> {
  const deal = await db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .leftJoin("handover_codes as code", "code.booking_id", "bookings.id")
    .leftJoin("complaints", "complaints.booking_id", "bookings.id")
    .select(["complaints.return_by", "complaints.refund_cents", "bookings.price_cents"])
    .select(["bookings.location"])
    .select(["bookings.id", "bookings.buyer_id", "bookings.product_id", "products.product_name"])
    .select(["buyer.name as buyer", "seller.name as seller", "code.issued_at", "code.wrong_tries"])
    .select(shownState(clock.now()).as("state"))
    .select(meetingColumn("bookings.id", "bookings.buyer_id").as("meeting"))
    .where("bookings.id", "=", bookingId)
    .where(isPartyTo(member.id))
    .executeTakeFirstOrThrow(noSuchDeal);
  const { id, state, product_id, product_name, issued_at, wrong_tries } = deal;
  const isBuyer = deal.buyer_id === member.id;
  return {
    _id: id,
    role: isBuyer ? "buyer" : "seller",
    state,
    refund: refundOf(deal),
    product: { _id: product_id, product_name },
    other: isBuyer ? deal.seller : deal.buyer,
    location: isBuyer || isOpenBooking(state) ? deal.location : "",
    meeting: toMeeting(deal.meeting),
    code:
      isBuyer && issued_at
        ? { issuedAt: issued_at.toISOString(), locked: wrong_tries === maxWrongHandoverCodes }
        : null,
  };
}

type Decided = { return_by: Date | null; refund_cents: number | null; price_cents: number };

function refundOf({ return_by, refund_cents, price_cents }: Decided): Handover["refund"] {
  if (return_by) return "waits";
  return refund_cents !== null && refund_cents >= price_cents ? "started" : null;
}
