import { sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatPrice, toDollars } from "#contract/money.ts";
import { hasAddress } from "#contract/text.ts";
import type { Tx } from "../../db/database.ts";
import { isErased } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import {
  type BookingEmail,
  type BookingEvent,
  bookingEmails,
  withArticle,
} from "./email-templates.ts";

type Notification = {
  bookingId: string;
  event: BookingEvent;
  /** The payment the event is about. */
  payment?: { transactionId: string; cents: number };
  /** The member who caused the event; they get no email. */
  except?: string | null;
};

/** A seller gets emails about this many holds of one buyer in a day, so holding and cancelling floods no mailbox. */
const maxHoldsPerDay = 3;

/** Queues the emails to buyer and seller about an event, in the transaction of the event. */
export async function notifyParties(
  tx: Tx,
  { config, clock, queueEmail }: Deps,
  { bookingId, event, payment, except }: Notification,
): Promise<void> {
  const booking = await findBooking(tx, bookingId);
  const facts = {
    bookingId,
    categoryId: booking.categoryId,
    brand: booking.brand,
    aLaptop: withArticle(booking.brand),
    price: formatPrice(toDollars(payment?.cents ?? booking.price_cents)),
    timeLeft: timeUntil(booking.held_until, clock.now()),
    transactionId: payment?.transactionId ?? "",
  };
  const { kind, onlyWhile: states, ...templates }: BookingEmail = bookingEmails[event];
  for (const party of ["buyer", "seller"] as const) {
    const { id, name, email } = booking[party];
    const template = templates[party];
    if (!template || id === except || isErased(email)) continue;
    const isFrequentHold = Number(booking.earlier_holds) >= maxHoldsPerDay;
    if (kind === "hold" && party === "seller" && isFrequentHold) continue;
    const { subject, text, action, nextStep } = template(facts);
    await queueEmail(tx, {
      kind,
      to: email,
      subject,
      paragraphs: [`Hi ${name},`, text, ...quoteListing(booking.product), nextStep],
      actionAfter: 2,
      action: { label: action.label, url: `${config.publicUrl}${action.path}` },
      onlyWhile: states && { bookingId, states },
    });
  }
}

/** The listing's name, unless a mail client could turn part of it into a link. */
function quoteListing(product: string): string[] {
  return hasAddress(product) ? [] : [`Listing: “${product}”`];
}

async function findBooking(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("categories", "categories.id", "products.category_id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .select(["bookings.price_cents", "bookings.held_until"])
    .select(["products.product_name as product", "products.category_id as categoryId"])
    .select("categories.product_category as brand")
    .select(({ ref }) => [
      jsonBuildObject({
        id: ref("buyer.id"),
        name: ref("buyer.name"),
        email: ref("buyer.email"),
      }).as("buyer"),
      jsonBuildObject({
        id: ref("seller.id"),
        name: ref("seller.name"),
        email: ref("seller.email"),
      }).as("seller"),
    ])
    .select(({ selectFrom }) =>
      selectFrom("bookings as earlier")
        .innerJoin("products as listed", "listed.id", "earlier.product_id")
        .whereRef("earlier.buyer_id", "=", "bookings.buyer_id")
        .whereRef("listed.seller_id", "=", "products.seller_id")
        .whereRef("earlier.booked_at", "<", "bookings.booked_at")
        .where("earlier.booked_at", ">", sql<Date>`bookings.booked_at - interval '1 day'`)
        .select(({ fn }) => fn.countAll().as("count"))
        .as("earlier_holds"),
    )
    .where("bookings.id", "=", bookingId)
    .executeTakeFirstOrThrow();
}

/** A duration, since the reader's time zone is not known: "24 hours", "45 minutes". */
function timeUntil(end: Date, now: Date): string {
  const minutes = Math.max(1, Math.round((end.getTime() - now.getTime()) / 60_000));
  if (minutes === 1) return "1 minute";
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
