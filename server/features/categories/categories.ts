import type { Category } from "#contract/categories.ts";
import type { Product } from "#contract/products.ts";
import type { Tx } from "../../db/database.ts";
import type { Page, Paging } from "../../db/pagination.ts";
import { AppError } from "../../errors.ts";
import { listAvailable } from "../products/products.ts";

/** All categories in display order. */
export async function listCategories(tx: Tx): Promise<Category[]> {
  const rows = await tx.selectFrom("categories").selectAll().orderBy("position").execute();
  return rows.map(({ id, product_category, brand_img }) => ({
    _id: id,
    product_category,
    brandImg: brand_img,
  }));
}

/** A category's available products, newest first. Throws `NOT_FOUND` for an unknown category. */
export async function listCategoryProducts(
  tx: Tx,
  categoryId: string,
  paging: Paging,
): Promise<Page<Product>> {
  const category = await tx
    .selectFrom("categories")
    .select("id")
    .where("id", "=", categoryId)
    .executeTakeFirst();
  if (!category) throw new AppError("NOT_FOUND", "There is no such category.");
  return await listAvailable(tx, { categoryId }, paging);
}
