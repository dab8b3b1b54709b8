import { z } from "zod";
import type { Category } from "#contract/categories.ts";
import type { Product } from "#contract/products.ts";
import type { Tx } from "../../db/database.ts";
import type { Page, Paging } from "../../db/pagination.ts";
import { AppError } from "../../errors.ts";
import { listAvailable } from "../products/products.ts";

/** The categories in display order, without hidden ones. */
export async function listCategories(tx: Tx): Promise<Category[]> {
  const rows = await selectCategories(tx).where("hidden", "=", false).orderBy("position").execute();
  return rows.map(toCategory);
}

/** Reads a category, even a hidden one. Throws `NOT_FOUND`. */
export async function readCategory(tx: Tx, id: string): Promise<Category> {
  const row = await selectCategories(tx).where("id", "=", id).executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND", "There is no such category.");
  return toCategory(row);
}

function selectCategories(tx: Tx) {
  return tx.selectFrom("categories").select(["id", "product_category", "brand_img"]);
}

type Row = { id: string; product_category: string; brand_img: string };

export function toCategory({ id, product_category, brand_img }: Row): Category {
  return { _id: id, product_category, brandImg: brand_img };
}

/** The picture that the owner chose for a category, and the picture's path. Throws `NOT_FOUND`. */
export async function readCategoryPicture(
  tx: Tx,
  id: string,
): Promise<{ path: string; picture: Buffer }> {
  const row = z.uuid().safeParse(id).success
    ? await tx
        .selectFrom("categories")
        .select(["brand_img as path", "picture"])
        .where("id", "=", id)
        .executeTakeFirst()
    : undefined;
  if (!row?.picture) throw new AppError("NOT_FOUND", "There is no such picture.");
  return { path: row.path, picture: row.picture };
}

/** A category's available products, newest first. Throws `NOT_FOUND` for an unknown category. */
export async function listCategoryProducts(
  tx: Tx,
  categoryId: string,
  paging: Paging,
): Promise<Page<Product>> {
  await readCategory(tx, categoryId);
  return await listAvailable(tx, { categoryId }, paging);
}
