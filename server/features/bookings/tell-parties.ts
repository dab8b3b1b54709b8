import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatPrice, toDollars } from "#contract/money.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { writeLetter } from "../mail/letters.ts";
import { isErased } from "../members/erase.ts";
import { type Letters, letters } from "./letters.ts";

type Telling = {
  bookingId: string;
  news: keyof typeof letters;
  /** The money that the news is of. */
  payment?: { transactionId: string; cents: number };
  /** Who hears nothing: whoever undoes a deal knows, and nobody writes to who is just leaving. */
  except?: readonly (string | null | undefined)[];
};

/** Leaves the letters that a deal's buyer and seller get of the news, in the transaction that does what they tell of. */
export async function tellParties(
  tx: Tx,
  { config, post }: Deps,
  { bookingId, news, payment, except = [] }: Telling,
): Promise<void> {
  const deal = await findDeal(tx, bookingId);
  const facts = {
    ...deal,
    price: formatPrice(toDollars(payment?.cents ?? deal.price_cents)),
    heldUntil: moment.format(deal.held_until),
    transactionId: payment?.transactionId ?? "",
  };
  const written: Letters = letters[news];
  for (const party of ["buyer", "seller"] as const) {
    const { id, name, email } = deal[party];
    const write = written[party];
    if (!write || except.includes(id) || isErased(email)) continue;
    const { subject, text, leadsTo, next } = write(facts);
    const letter = writeLetter({
      to: email,
      subject,
      paragraphs: [`Hello ${name}, ${text}`, next],
      action: { label: leadsTo.label, url: `${config.publicUrl}${leadsTo.path}` },
    });
    await post(tx, letter);
  }
}

async function findDeal(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .select(["bookings.id as booking", "bookings.price_cents", "bookings.held_until"])
    .select(["products.product_name as product", "products.category_id as category"])
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
