import { isOpenBooking } from "#contract/life-cycle.ts";
import { toDollars } from "#contract/price.ts";
import type { Member } from "../server/db/member.ts";
import type { Deps } from "../server/deps.ts";
import { bookProduct } from "../server/features/deals/book-product.ts";
import { endHold } from "../server/features/deals/end-hold.ts";
import { confirmHandover } from "../server/features/deals/handover.ts";
import { createPaymentIntent, recordPayment } from "../server/features/money/payments.ts";
import { refundBooking } from "../server/features/money/refund-booking.ts";
import { refundPayment } from "../server/features/money/send-refund.ts";
import { ago, depsAt } from "./backdate.ts";
import type { DemoBooking } from "./bookings.ts";
import { unless } from "./repeated-load.ts";

type NewBooking = {
  booking: DemoBooking;
  product: { id: string; resale_cents: number };
  buyer: Member;
  admin: Member;
};

/**
 * Creates a demo booking with the shop's own verbs, and moves it to its final state. Continues a
 * booking that an interrupted load began.
 */
export async function createBooking(
  deps: Deps,
  { booking, product, buyer, admin }: NewBooking,
): Promise<void> {
  // The demo can pay only if the sandbox is the card provider.
  const paid = ["paid", "completed", "refunded"].includes(booking.state);
  if (paid && deps.cards.browser.scriptUrl === null) return;
  const past = depsAt(deps, ago(deps, { hours: booking.bookedHoursAgo }));
  const price = toDollars(product.resale_cents);
  const { phone, location, state } = booking;
  const begun = await findBegun(deps, product.id, buyer);
  const order = { price, phone, location, bookingProduct: { _id: product.id }, network: null };
  const { id } = begun ?? (await bookProduct(past, buyer, order));
  if (state === "held" || (begun && !isOpenBooking(begun.state))) return;
  if (state === "expired")
    await endHold(deps, { bookingId: id, transition: "expire", actor: null });
  else if (state === "cancelled")
    await endHold(past, { bookingId: id, transition: "cancel", actor: buyer.id });
  else if (begun?.state !== "paid")
    await payFor(past, { id, price, buyer, card: cardFor(booking) });
  if (state === "completed") {
    const hours = booking.handedOverHoursAgo ?? 1;
    await confirmHandover(depsAt(deps, ago(deps, { hours })), buyer, id);
  }
  if (state === "refunded") {
    const refunded = await refundBooking(past, admin, { bookingId: id });
    await refundPayment(past, refunded.id);
  }
}

function cardFor({ handedOverHoursAgo }: DemoBooking): string {
  return handedOverHoursAgo === undefined ? "pm_card_visa" : "pm_card_bypassPending";
}

async function findBegun({ db }: Deps, productId: string, buyer: Member) {
  return await db
    .selectFrom("bookings")
    .select(["id", "state"])
    .where("product_id", "=", productId)
    .where("buyer_id", "=", buyer.id)
    .executeTakeFirst();
}

async function payFor(
  deps: Deps,
  { id, price, buyer, card }: { id: string; price: number; buyer: Member; card: string },
): Promise<void> {
  const { scriptUrl, publishableKey } = deps.cards.browser;
  if (scriptUrl === null) return;
  const payment = { price, bookingId: id };
  // An interrupted load may have paid already. Asking for the payment again then records it.
  const recorded = unless("BOOKING_NOT_PAYABLE");
  const clientSecret = await createPaymentIntent(deps, buyer, payment).catch(recorded);
  if (clientSecret === undefined) return;
  const [transactionId = ""] = clientSecret.split("_secret_");
  const confirm = new URL(`/v1/payment_intents/${transactionId}/confirm`, scriptUrl);
  const answer = await fetch(confirm, {
    method: "POST",
    headers: { authorization: `Bearer ${publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: card }),
  });
  if (!answer.ok) throw new Error(`The sandbox refused the demo's card: ${await answer.text()}`);
  await recordPayment(deps, buyer, { ...payment, transactionId });
}
