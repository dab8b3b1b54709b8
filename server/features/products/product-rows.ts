import { jsonObjectFrom } from "kysely/helpers/postgres";
import { liveBookingStates } from "#contract/life-cycle.ts";
import { toDollars } from "#contract/money.ts";
import type { OwnProduct, Product, ProductWithContact } from "#contract/products.ts";
import type { Tx } from "../../db/database.ts";

/**
 * Products with what their seller's account says today: `verify` and `seller_name` are never copied, so
 * a seller and all their products flip together.
 */
export function selectProducts(tx: Tx) {
  return tx
    .selectFrom("products")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .select([
      "products.id",
      "products.category_id",
      "products.product_name",
      "products.condition",
      "products.resale_cents",
      "products.original_cents",
      "products.use_duration",
      "products.location",
      "products.posted_at",
      "products.year_of_purchase",
      "products.mobile_number",
      "products.description",
      "products.img",
      "products.img_preview",
      "products.sales_status",
      "products.advertise",
      "seller.name as seller_name",
      "seller.email as seller_email",
      "seller.verify",
    ]);
}

type ProductRow = Awaited<ReturnType<ReturnType<typeof selectProducts>["executeTakeFirstOrThrow"]>>;

/** A row as anyone may see it. */
export function toProduct(row: ProductRow): Product {
  return {
    _id: row.id,
    product_categoryId: row.category_id,
    product_name: row.product_name,
    condition: row.condition,
    resale_price: toDollars(row.resale_cents),
    original_price: toDollars(row.original_cents),
    use_duration: row.use_duration,
    location: row.location,
    seller_name: row.seller_name,
    postedAt: row.posted_at.toISOString(),
    yearOf_purchase: row.year_of_purchase,
    description: row.description,
    img: row.img,
    img_preview: row.img_preview,
    sales_status: row.sales_status,
    advertise: row.advertise,
    verify: row.verify,
  };
}

/** A row as its seller, an admin, or the buyer in a live deal sees it. */
export function toProductWithContact(row: ProductRow): ProductWithContact {
  return { ...toProduct(row), sellerEmail: row.seller_email, mobile_number: row.mobile_number };
}

/** Products with the live deal on each, of which there is one at most; a hold that has run out is none. */
export function selectOwnProducts(tx: Tx, now: Date) {
  return selectProducts(tx).select(({ selectFrom }) =>
    jsonObjectFrom(
      selectFrom("bookings")
        .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
        .select(["bookings.id as bookingId", "state", "held_until", "phone", "location"])
        .select(["buyer.name", "buyer.email"])
        .whereRef("bookings.product_id", "=", "products.id")
        .where("state", "in", liveBookingStates)
        .where(({ eb }) => eb("state", "!=", "held").or("held_until", ">", now)),
    ).as("deal"),
  );
}

type OwnRow = Awaited<ReturnType<ReturnType<typeof selectOwnProducts>["executeTakeFirstOrThrow"]>>;

/** A row as its seller sees it. */
export function toOwnProduct(row: OwnRow): OwnProduct {
  if (row.deal === null) return { ...toProductWithContact(row), deal: null };
  const { held_until, ...deal } = row.deal;
  const heldUntil = new Date(held_until).toISOString();
  return { ...toProductWithContact(row), deal: { ...deal, heldUntil } };
}
