import { formatPrice, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import type { BookingEmail } from "../deals/booking-email.ts";
import { bookingEmails } from "../deals/deal-emails.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { applyTransition } from "../deals/transition.ts";
import { changeDeal, readDeal } from "../ledger/post-journal.ts";
import { requireDecided } from "./dispute-checks.ts";
import { followRefund, readPayment } from "./follow-refund.ts";
import { insertMove } from "./money-moves.ts";
import { decide } from "./split-money.ts";

/** With `retry`, only the failed refund of this payment is tried again. */
type Refund = { bookingId: string; retry?: string | undefined };

/**
 * Refunds a paid laptop's whole price and relists it, or retries the booking's refunds that were
 * given up on. A repeated call returns the same payment if there is nothing to retry; a repeated
 * `retry` is refused. Throws `NOT_FOUND`. Throws `STALE` if the booking is neither paid nor
 * refunded, a dispute about what is refunded is open, or a retry follows a lost one.
 */
export async function refundBooking(
  deps: Deps,
  admin: Member,
  { bookingId, retry }: Refund,
): Promise<{ id: string; repeated: boolean }> {
  const by = { bookingId, paymentId: retry, at: deps.clock.now(), actor: admin.id };
  return await transact(deps.db, "refundBooking", async (tx) => {
    const { state } = await lockBooking(tx, bookingId);
    const [retried] = await listGivenUp(tx, by);
    // A paid sale can be refunded while the refund of an extra payment needs another try.
    if (retried !== undefined && (retry !== undefined || state !== "paid")) {
      const lostCents = await requireDecided(tx, bookingId, retry);
      if (lostCents > 0) throw restNotToCard(lostCents);
      await retryRefunds(tx, by);
      return { id: retried, repeated: false };
    }
    if (retry !== undefined) throw notFailed();
    if (state === "paid") await requireDecided(tx, bookingId);
    if (state === "refunded") return { id: await refundedPayment(tx, bookingId), repeated: true };
    const id = await startRefund(tx, deps, by);
    if (id !== undefined) return { id, repeated: false };
    throw new AppError("STALE", `This booking is ${state}; only a paid one can be refunded.`);
  });
}

async function lockBooking(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .select("state")
    .where("id", "=", bookingId)
    .forUpdate()
    .executeTakeFirstOrThrow(orNotFound("There is no such booking."));
}

type GivenUp = { bookingId: string; paymentId?: string | undefined };

async function listGivenUp(tx: Tx, { bookingId, paymentId }: GivenUp): Promise<string[]> {
  const rows = await tx
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where((eb) => (paymentId === undefined ? eb.lit(true) : eb("id", "=", paymentId)))
    .where("given_up_at", "is not", null)
    .orderBy("recorded_at")
    .execute();
  return rows.map(({ id }) => id);
}

async function refundedPayment(tx: Tx, bookingId: string): Promise<string> {
  const { id } = await tx
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("state", "<>", "succeeded")
    .orderBy("recorded_at")
    .executeTakeFirstOrThrow();
  return id;
}

type BookingRefund = { bookingId: string; at: Date; actor: string | null };

/** Retries a booking's refunds that were given up on. Requires a locked booking. */
export async function retryRefunds(tx: Tx, refund: BookingRefund & GivenUp): Promise<void> {
  for (const paymentId of await listGivenUp(tx, refund)) {
    await makeRefundDue(tx, paymentId);
    const { at, actor } = refund;
    const by = { at, actor, verb: "retryRefund", object: "payment" } as const;
    await recordAudit(tx, { ...by, objectId: paymentId });
  }
}

async function makeRefundDue(tx: Tx, paymentId: string): Promise<void> {
  await tx
    .updateTable("payments")
    .set({ given_up_at: null, retry_at: null })
    .where("id", "=", paymentId)
    .execute();
  await enqueue(tx, "refundPayment", { payload: { paymentId } });
}

/** `email`: sent now, before the refund is made. */
type StartedRefund = BookingRefund & { email?: BookingEmail | undefined };

/** Starts a full refund. Returns the payment's id; undefined if the booking isn't paid. */
export async function startRefund(
  tx: Tx,
  deps: Deps,
  { email = bookingEmails.saleCancelled, ...refund }: StartedRefund,
): Promise<string | undefined> {
  if (!(await applyTransition(tx, { ...refund, transition: "refund" }))) return undefined;
  const { bookingId, actor } = refund;
  await decide(tx, deps, { bookingId, actor, toBuyer: "all" });
  await notifyParties(tx, deps, { bookingId, email });
  return await refundedPayment(tx, bookingId);
}

/**
 * Records that an admin sent a refund by other means. Throws `NOT_FOUND`. Throws `STALE` unless the
 * refund was given up on and no dispute about the payment is open.
 */
export async function settleRefund(deps: Deps, admin: Member, paymentId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, "settleRefund", async (tx) => {
    const payment = await tx
      .selectFrom("payments")
      .select("booking_id as bookingId")
      .where("id", "=", paymentId)
      .executeTakeFirstOrThrow(orNotFound("There is no such payment."));
    const { bookingId } = payment;
    await lockBooking(tx, bookingId);
    const lostCents = await requireDecided(tx, bookingId, paymentId);
    const [failed] = await listGivenUp(tx, { bookingId, paymentId });
    if (failed === undefined) throw notFailed();
    const { deal } = await readPayment(tx, paymentId, at);
    const cents = (await readDeal(tx, deal)).owed();
    const sent = { bookingId, paymentId, kind: "sent", cents, at, state: "made" } as const;
    const { id } = await insertMove(tx, sent);
    await changeDeal(tx, deal, (journals) => {
      journals.sendRefund(id, cents);
      journals.coverLoss(bookingId);
    });
    const by = { at, actor: admin.id, verb: "settleRefund", object: "payment" } as const;
    const detail = { sentCents: cents, fromBankCents: lostCents };
    await recordAudit(tx, { ...by, objectId: paymentId, detail });
    await followRefund(tx, deps, { paymentId, bySender: true });
  });
}

function notFailed(): AppError {
  return new AppError("STALE", "This refund has not failed. Look at the payment again.");
}

/** The provider rejects refunds of a disputed payment. */
function restNotToCard(lostCents: number): AppError {
  const back = formatPrice(toDollars(lostCents));
  return new AppError(
    "STALE",
    `The buyer's bank has given back ${back} of this payment, so the rest can't be refunded to the card. Send it another way, then press Sent another way.`,
  );
}
