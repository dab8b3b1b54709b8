import { sql } from "kysely";
import type { Answer } from "#contract/call.ts";
import type { Laptop, WithdrawnLaptop } from "#contract/laptop-page.ts";
import type { readOwnProduct as call } from "#contract/own-product.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { fairPriceOf } from "../fair-price/fair-price.ts";
import { linkPreviewOf } from "../link-previews/link-previews.ts";
import { replyHoursColumn } from "../reviews/reply-time.ts";
import { factsColumn, originsColumn, toFacts } from "./facts.ts";
import { selectOwnProducts, selectProducts, toOwnProduct, toProduct } from "./product-rows.ts";
import { listSimilar } from "./similar-laptops.ts";

type Reader = Pick<Deps, "db" | "shop">;

/**
 * Treats a suspended seller's laptop as withdrawn. Throws `NOT_FOUND` if the laptop is unknown or
 * `waiting`, or `GONE` if an admin took it down or the seller's account is deleted.
 */
export async function readProduct(
  { db: tx, shop }: Reader,
  id: string,
): Promise<Laptop | WithdrawnLaptop> {
  const row = await selectLaptop(tx)
    .where("products.id", "=", id)
    .where("products.sales_status", "<>", "waiting")
    .executeTakeFirstOrThrow(orNotFound("There is no such laptop."));
  if (row.taken_down || row.seller_deleted_at)
    throw new AppError("GONE", "This laptop was removed.");
  const [similar, priceHistory, range] = await Promise.all([
    listSimilar(tx, id),
    listPrices(tx, row),
    row.sales_status === "available" ? fairPriceOf(tx, row) : null,
  ]);
  if (row.deleted_at || row.suspended_at) {
    const { id: _id, category_id, category, product_name, seller_id } = row;
    const left = { _id, product_categoryId: category_id, category, product_name };
    return { withdrawn: true, ...left, seller: { _id: seller_id }, similar };
  }
  const product = toProduct(row);
  return {
    withdrawn: false,
    ...product,
    category: row.category,
    linkPreview: linkPreviewOf(product, shop.get()).path,
    images: [row.img, ...row.more_images],
    facts: toFacts(row.facts),
    origins: row.origins ?? {},
    seller: {
      _id: row.seller_id,
      memberSince: row.member_since.toISOString(),
      sold: row.seller_sold ?? 0,
      repliesWithinHours: row.reply_hours,
    },
    priceHistory,
    fairPrice: { range },
    similar,
  };
}

function selectLaptop(tx: Tx) {
  return selectProducts(tx)
    .innerJoin("categories", "categories.id", "products.category_id")
    .leftJoin("laptop_facts", "laptop_facts.product_id", "products.id")
    .select([factsColumn, originsColumn, replyHoursColumn])
    .select(["products.seller_id", "products.deleted_at", "products.taken_down"])
    .select(["products.more_images", "product_category as category"])
    .select(["seller.created_at as member_since", "seller.suspended_at"])
    .select("seller.deleted_at as seller_deleted_at")
    .select(({ selectFrom }) =>
      selectFrom("products as others")
        .select(sql<number>`count(*)::integer`.as("sold"))
        .whereRef("others.seller_id", "=", "products.seller_id")
        .where("others.sales_status", "=", "sold")
        .as("seller_sold"),
    );
}

async function listPrices(tx: Tx, { id, posted_at }: { id: string; posted_at: Date }) {
  const changes = await tx
    .selectFrom("price_changes")
    .select(["from_cents", "to_cents", "changed_at"])
    .where("product_id", "=", id)
    // Buyers never saw the prices before an admin approved the listing.
    .where("changed_at", ">=", posted_at)
    .orderBy("id")
    .execute();
  const [first] = changes;
  if (!first) return [];
  const prices = [
    { cents: first.from_cents, since: posted_at },
    ...changes.map(({ to_cents, changed_at }) => ({ cents: to_cents, since: changed_at })),
  ];
  return prices.map(({ cents, since }) => ({
    price: toDollars(cents),
    since: since.toISOString(),
  }));
}

/** Reads a laptop for its seller. Throws `NOT_FOUND`. */
export async function readOwnProduct(
  tx: Tx,
  seller: Member,
  { id, now }: { id: string; now: Date },
): Promise<Answer<typeof call>> {
  const row = await selectOwnProducts(tx, now)
    .innerJoin("categories", "categories.id", "products.category_id")
    .leftJoin("laptop_facts", "laptop_facts.product_id", "products.id")
    .leftJoin("offer_floors", "offer_floors.product_id", "products.id")
    .select([factsColumn, originsColumn, "offer_floors.floor_cents"])
    .select(["products.more_images", "product_category as category"])
    .where("products.id", "=", id)
    .where("products.seller_id", "=", seller.id)
    .where("products.deleted_at", "is", null)
    .executeTakeFirstOrThrow(orNotFound("You have no such product."));
  return {
    product: toOwnProduct(row),
    category: row.category,
    images: [row.img, ...row.more_images],
    facts: toFacts(row.facts),
    origins: row.origins ?? {},
    floor: row.floor_cents === null ? null : toDollars(row.floor_cents),
  };
}
