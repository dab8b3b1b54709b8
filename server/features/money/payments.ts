import type { z } from "zod";
import type {
  createPaymentIntent as intentCall,
  recordPayment as recordCall,
} from "#contract/payments.ts";
import { formatPrice, toCents, toDollars } from "#contract/price.ts";
import type { Intent } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AmbiguousHold, AppError, orNotFound } from "../../errors.ts";
import { isActiveHold } from "../deals/booking-columns.ts";
import { agreedPromo } from "../deals/fee-times-and-promo.ts";
import { dueCents, fixAmountDue } from "../rewards/discount-and-credit.ts";
import { requireKnownCurrency, unknownCurrencies } from "../shop-settings/shop-settings.ts";
import { settlePayment } from "./settle-payment.ts";

type PayableBooking = {
  id: string;
  price_cents: number;
  due_cents: number;
  intent_id: string | null;
};

/**
 * Freezes the amount due, and returns the client secret of the payment intent. Throws
 * `PRICE_CHANGED`, `BOOKING_NOT_PAYABLE`, `NOT_FOUND` or `PROVIDER_UNAVAILABLE`.
 */
export async function createPaymentIntent(
  deps: Deps,
  buyer: Member,
  { price, bookingId }: z.output<typeof intentCall.body>,
): Promise<string> {
  const found = await findPayable(deps, buyer, { price, bookingId });
  const fixedAt = deps.clock.now();
  const booking = await transact(deps.db, "fixAmountDue", async (tx) => {
    requireKnownCurrency((await unknownCurrencies(deps.shop).execute(tx)).rows);
    const fixed = await lockFixed(tx, deps, found.id);
    if (!isPriceOf(fixed, price))
      throw new AppError(
        "PRICE_CHANGED",
        `The amount due is ${formatPrice(toDollars(fixed.due_cents))}.`,
      );
    return { ...fixed, fixedAt };
  });
  const intent = await findOrCreateIntent(deps, buyer, booking);
  if (intent.status === "succeeded") await settlePayment(deps, intent, "buyer");
  if (intent.status !== "open") throw notPayable();
  return intent.clientSecret;
}

/** Accepts the full price, too: clients built to the specification send it, not the amount due. */
function isPriceOf(
  { price_cents, due_cents }: Pick<PayableBooking, "price_cents" | "due_cents">,
  price: number,
): boolean {
  return [price_cents, due_cents].includes(toCents(price));
}

/** Locks a held booking. Sets its amount due unless the amount is already fixed. */
async function lockFixed(tx: Tx, deps: Deps, id: string): Promise<PayableBooking> {
  const booking = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["bookings.id", "buyer_id", "seller_id", "price_cents", "intent_id"])
    .select(["amount_fixed_at", dueCents.as("due_cents"), agreedPromo])
    .where("bookings.id", "=", id)
    .where("bookings.state", "=", "held")
    .forUpdate("bookings")
    .executeTakeFirstOrThrow(notPayable);
  if (booking.amount_fixed_at !== null) return booking;
  const { discountCents, creditCents } = await fixAmountDue(tx, deps, booking);
  return { ...booking, due_cents: booking.price_cents - discountCents - creditCents };
}

async function findPayable(
  deps: Deps,
  buyer: Member,
  { price, bookingId }: { price: number; bookingId?: string | undefined },
) {
  const now = deps.clock.now();
  const own = deps.db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["bookings.id", "product_name", "price_cents", isActiveHold(now).as("is_payable")])
    .where("buyer_id", "=", buyer.id)
    .orderBy("booked_at");
  if (bookingId === undefined) return onlyHold(await own.where(isActiveHold(now)).execute(), price);
  const booking = await own
    .where("bookings.id", "=", bookingId)
    .executeTakeFirstOrThrow(noSuchBooking);
  if (!booking.is_payable) throw notPayable();
  return booking;
}

type Hold = { id: string; product_name: string; price_cents: number };

/** Handles requests without an id. Throws `NOT_FOUND`, or `BOOKING_NOT_PAYABLE` if ambiguous. */
function onlyHold(held: Hold[], price: number): Hold {
  const atPrice = held.filter(({ price_cents }) => price_cents === toCents(price));
  const candidates = atPrice.length > 0 ? atPrice : held;
  const [hold, another] = candidates;
  if (!hold) throw noSuchBooking();
  if (!another) return hold;
  const named = candidates.map(({ id, product_name }) => `${product_name} (${id})`).join(", ");
  throw new AmbiguousHold(
    `You have several laptops on hold: ${named}. Send the bookingId of one.`,
    candidates.map(({ id, product_name }) => ({ bookingId: id, product_name })),
  );
}

const noSuchBooking = orNotFound("You have no such booking.");

function notPayable(): AppError {
  return new AppError(
    "BOOKING_NOT_PAYABLE",
    "This booking has already been paid for or has expired. Check My Orders.",
  );
}

async function findOrCreateIntent(
  deps: Deps,
  buyer: Member,
  booking: PayableBooking & { fixedAt: Date },
): Promise<Intent> {
  if (booking.intent_id !== null) return await deps.cards.findIntent(booking.intent_id);
  const intent = await deps.cards.openIntent({
    bookingId: booking.id,
    amountCents: booking.due_cents,
    currency: deps.shop.currency,
    email: buyer.email,
    shopName: deps.shop.get().name,
  });
  const updated = await deps.db
    .updateTable("bookings")
    .set(({ fn, val }) => ({
      intent_id: intent.id,
      amount_fixed_at: fn.coalesce("amount_fixed_at", val(booking.fixedAt)),
    }))
    .where("id", "=", booking.id)
    .where("state", "=", "held")
    .where(dueCents, "=", booking.due_cents)
    .where(({ or, eb }) => or([eb("intent_id", "is", null), eb("intent_id", "=", intent.id)]))
    .executeTakeFirst();
  if (updated.numUpdatedRows > 0n) return intent;
  // The booking changed during the call, so this intent must not be paid.
  await deps.cards.cancelIntent(intent.id);
  throw notPayable();
}

/**
 * Records a payment that the browser reports, after checking it with the provider. Throws
 * `NOT_FOUND`, `PAYMENT_NOT_CONFIRMED` or `PROVIDER_UNAVAILABLE`. Throws `BOOKING_NOT_PAYABLE` if
 * the payment is not kept.
 */
export async function recordPayment(
  deps: Deps,
  buyer: Member,
  { price, transactionId, bookingId }: z.output<typeof recordCall.body>,
): Promise<{ id: string; repeated: boolean }> {
  const booking = await deps.db
    .selectFrom("bookings")
    .select(["price_cents", "intent_id", dueCents.as("due_cents")])
    .where("id", "=", bookingId)
    .where("buyer_id", "=", buyer.id)
    .executeTakeFirstOrThrow(orNotFound("You have no such booking."));
  if (booking.intent_id !== transactionId || !isPriceOf(booking, price)) throw notConfirmed();
  const settled = await settlePayment(deps, await deps.cards.findIntent(transactionId), "buyer");
  if (!settled) throw notConfirmed();
  if (settled.fulfilled) return { id: settled.paymentId, repeated: settled.repeated };
  const message =
    "Your hold had expired and the laptop is no longer available. Your refund is on its way.";
  throw new AppError("BOOKING_NOT_PAYABLE", message);
}

function notConfirmed(): AppError {
  return new AppError(
    "PAYMENT_NOT_CONFIRMED",
    "The card provider hasn't confirmed a payment for this booking.",
  );
}
