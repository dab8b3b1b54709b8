import type { Answer } from "#contract/call.ts";
import type { readOwnProduct as call } from "#contract/own-product.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { AppError } from "../../errors.ts";
import { factsColumn, originsColumn, toFacts } from "./facts.ts";
import { selectOwnProducts, toOwnProduct } from "./product-rows.ts";

/** Everything that sellers can edit about one of their own laptops. Throws `NOT_FOUND`. */
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
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND", "You have no such product.");
  return {
    product: toOwnProduct(row),
    category: row.category,
    images: [row.img, ...row.more_images],
    facts: toFacts(row.facts),
    origins: row.origins ?? {},
    floor: row.floor_cents === null ? null : toDollars(row.floor_cents),
  };
}
