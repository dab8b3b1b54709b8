import { recordAudit } from "#server/db/audit-log.ts";
import type { Tx } from "#server/db/database.ts";
import { newId } from "#server/db/ids.ts";

/** The price of every laptop in the fault suite, in dollars. */
export const price = 640;

/** Inserts a laptop for sale with its audit row; returns its id. */
export async function putUpForSale(tx: Tx, sellerId: string, at: Date): Promise<string> {
  const { id: category } = await tx
    .selectFrom("categories")
    .select("id")
    .orderBy("position")
    .executeTakeFirstOrThrow();
  const id = newId(at);
  await tx
    .insertInto("products")
    .values({
      id,
      category_id: category,
      seller_id: sellerId,
      product_name: "ThinkPad X1 Carbon Gen 9",
      condition: "Good",
      resale_cents: price * 100,
      original_cents: 182_900,
      use_duration: 30,
      location: "Leeds",
      year_of_purchase: 2024,
      mobile_number: "5550123",
      description: "Battery at 88 %, a scratch on the lid, charger included.",
      img: "/images/none.jpg",
      posted_at: at,
    })
    .execute();
  await recordAudit(tx, { at, actor: sellerId, verb: "list", object: "product", objectId: id });
  return id;
}

/** The body of a booking. */
export function orderOf(product: string) {
  return { price, phone: "5550123", location: "Station", bookingProduct: { _id: product } };
}

/** The body that records a payment. */
export function paidWith(intent: string, booking: string) {
  return { price, transactionId: intent, bookingId: booking };
}
