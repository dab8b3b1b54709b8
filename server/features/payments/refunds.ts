import { formatPrice, toDollars } from "#contract/money.ts";
import { record } from "../../audit.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { Refusal } from "../../errors.ts";
import { enqueue } from "../../jobs.ts";
import { moveBooking } from "../bookings/transition.ts";
import { writeLetter } from "../mail/letters.ts";
import type { Member } from "../members/members.ts";

/**
 * Takes a paid booking back and puts its money on the way to the buyer, once; asked again it answers the
 * same payment. Refuses `STALE` for one that is not paid or was handed over, `NOT_FOUND`.
 */
export async function refundBooking(
  deps: Deps,
  admin: Member,
  bookingId: string,
): Promise<{ id: string; repeated: boolean }> {
  return await transact(deps.db, "refundBooking", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("state")
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!booking) throw new Refusal("NOT_FOUND", "There is no such booking.");
    if (booking.state === "refunded")
      return { id: await refundedPayment(tx, bookingId), repeated: true };
    const at = deps.clock.now();
    const moved = await moveBooking(tx, { bookingId, transition: "refund", at, actor: admin.id });
    if (!moved)
      throw new Refusal(
        "STALE",
        `This booking is ${booking.state}; only a paid one can be refunded.`,
      );
    const { id } = await tx
      .updateTable("payments")
      .set({ state: "refund_due" })
      .where("booking_id", "=", bookingId)
      .where("state", "=", "succeeded")
      .returning("id")
      .executeTakeFirstOrThrow();
    await enqueue(tx, "refundPayment", { payload: { paymentId: id } });
    return { id, repeated: false };
  });
}

async function refundedPayment(tx: Tx, bookingId: string): Promise<string> {
  const { id } = await tx
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("state", "in", ["refund_due", "refunded"])
    .orderBy("recorded_at")
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives back money that is due, once: the job that `settle` and `refundBooking` leave behind. */
export async function refundPayment(deps: Deps, paymentId: string): Promise<void> {
  const payment = await deps.db
    .selectFrom("payments")
    .select("transaction_id")
    .where("id", "=", paymentId)
    .where("state", "=", "refund_due")
    .executeTakeFirst();
  if (!payment) return;
  const refundId = await deps.cards.refund(payment.transaction_id);
  await transact(deps.db, "refundPayment", async (tx) => {
    const refunded = await tx
      .updateTable("payments")
      .set({ state: "refunded", refund_id: refundId })
      .where("id", "=", paymentId)
      .where("state", "=", "refund_due")
      .executeTakeFirst();
    if (refunded.numUpdatedRows === 0n) return;
    const at = deps.clock.now();
    await record(tx, {
      at,
      actor: null,
      verb: "refund",
      object: "payment",
      objectId: paymentId,
      detail: { refundId },
    });
    await enqueue(tx, "sendMail", { payload: await writeRefundLetter(tx, deps, paymentId) });
  });
}

/** The buyer is told, whoever decided it (contract, "States"). */
async function writeRefundLetter(tx: Tx, { config }: Deps, paymentId: string) {
  const { name, email, product_name, amount_cents } = await tx
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .innerJoin("members", "members.id", "bookings.buyer_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["members.name", "members.email", "product_name", "payments.amount_cents"])
    .where("payments.id", "=", paymentId)
    .executeTakeFirstOrThrow();
  const amount = formatPrice(toDollars(amount_cents));
  return writeLetter({
    to: email,
    subject: `${amount} on its way back to you`,
    paragraphs: [
      `Hello ${name}, your payment of ${amount} for ${product_name} was refunded to your card: the laptop could not be yours. Banks take a few days to show it.`,
      "There is nothing you need to do.",
    ],
    action: { label: "Look at My Orders", url: `${config.publicUrl}/dashboard` },
  });
}
