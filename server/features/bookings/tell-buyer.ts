import { formatPrice, toDollars } from "#contract/money.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "../../jobs.ts";
import { writeLetter } from "../mail/letters.ts";

type Facts = { product: string; price: string };

/** What a buyer hears of without having asked: what it is about, and what it means to them. */
const letters = {
  cancelled: ({ product }: Facts) => ({
    subject: `Your hold of ${product} has ended`,
    text: `your hold of ${product} was cancelled before you paid. You were not charged.`,
  }),
  reclaimed: ({ product, price }: Facts) => ({
    subject: `${product} is yours`,
    text: `your payment of ${price} came after your hold of ${product} had ended. The laptop was still free, so it is yours.`,
  }),
  late: ({ product, price }: Facts) => ({
    subject: `${price} on its way back to you`,
    text: `your payment of ${price} came when ${product} could no longer be yours. It was refunded to your card; banks take a few days to show it.`,
  }),
  refunded: ({ product, price }: Facts) => ({
    subject: `${price} on its way back to you`,
    text: `your purchase of ${product} was undone, and your payment of ${price} refunded to your card; banks take a few days to show it.`,
  }),
} satisfies Record<string, (facts: Facts) => { subject: string; text: string }>;

type Telling = {
  bookingId: string;
  news: keyof typeof letters;
  /** What was paid, where that is not the booking's price, in cents. */
  cents?: number;
};

/** Leaves a letter to a booking's buyer in the transaction that does what it tells of. */
export async function tellBuyer(
  tx: Tx,
  { config }: Deps,
  { bookingId, news, cents }: Telling,
): Promise<void> {
  const { name, email, product_name, price_cents } = await tx
    .selectFrom("bookings")
    .innerJoin("members", "members.id", "bookings.buyer_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["members.name", "members.email", "product_name", "price_cents"])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const price = formatPrice(toDollars(cents ?? price_cents));
  const { subject, text } = letters[news]({ product: product_name, price });
  const payload = writeLetter({
    to: email,
    subject,
    paragraphs: [`Hello ${name}, ${text}`, "There is nothing you need to do."],
    action: { label: "Look at My Orders", url: `${config.publicUrl}/dashboard` },
  });
  await enqueue(tx, "sendMail", { payload });
}
