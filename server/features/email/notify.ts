import { sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatPrice, toDollars } from "#contract/money.ts";
import { hasAddress } from "#contract/text.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { isErased } from "../members/erase.ts";
import { renderEmail } from "./email-layout.ts";
import { type Letters, letters } from "./email-templates.ts";

type Telling = {
  bookingId: string;
  news: keyof typeof letters;
  /** The money that the news is of. */
  payment?: { transactionId: string; cents: number };
  /** Who did it, and so needs no letter of it. */
  except?: string | null;
};

/** Of so many holds by one buyer a seller hears in a day; who holds and lets go all day floods no mailbox. */
const holdsTold = 3;

/** Leaves the letters that a deal's buyer and seller get of the news, in the transaction that does what they tell of. */
export async function notifyParties(
  tx: Tx,
  { config, clock, queueEmail }: Deps,
  { bookingId, news, payment, except }: Telling,
): Promise<void> {
  const deal = await findDeal(tx, bookingId);
  const facts = {
    ...deal,
    price: formatPrice(toDollars(payment?.cents ?? deal.price_cents)),
    heldUntil: moment.format(deal.held_until),
    transactionId: payment?.transactionId ?? "",
  };
  const { onlyWhile: states, ofHold, ...letterTo }: Letters = letters[news];
  for (const party of ["buyer", "seller"] as const) {
    const { id, name, email } = deal[party];
    const write = letterTo[party];
    if (!write || id === except || isErased(email)) continue;
    if (ofHold && party === "seller" && Number(deal.holds_before) >= holdsTold) continue;
    const { subject, text, leadsTo, next } = write(facts);
    const written = `Written ${moment.format(clock.now())}.`;
    const letter = renderEmail({
      to: email,
      subject,
      paragraphs: [`Hello ${name}, ${text}`, ...quoted(deal.product), next, written],
      action: { label: leadsTo.label, url: `${config.publicUrl}${leadsTo.path}` },
    });
    const kind = ofHold ? "hold" : "payment";
    await queueEmail(tx, { kind, ...letter, onlyWhile: states && { bookingId, states } });
  }
}

/** The seller's own words for the laptop, unless a mail program could make a link of them. */
function quoted(product: string): string[] {
  return hasAddress(product) ? [] : [`Listing: “${product}”`];
}

async function findDeal(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .select(["bookings.id as booking", "bookings.price_cents", "bookings.held_until"])
    .innerJoin("categories", "categories.id", "products.category_id")
    .select(["products.product_name as product", "products.category_id as category"])
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
        .as("holds_before"),
    )
    .where("bookings.id", "=", bookingId)
    .executeTakeFirstOrThrow();
}

/** A time that reads the same wherever the letter is read: Mar 3, 2026, 2:05 PM UTC. */
const moment = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZone: "UTC",
  timeZoneName: "short",
});
