import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { Answer } from "#contract/call.ts";
import type { Category } from "#contract/categories.ts";
import type * as calls from "#contract/manage-categories.ts";
import { maxCategories } from "#contract/manage-categories.ts";
import type { Product } from "#contract/products.ts";
import { foldText } from "#contract/text.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Page, Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError, orNotFound } from "../../errors.ts";
import { listAvailable } from "../products/products.ts";
import { replaceCategory } from "../saved/saved-searches.ts";

/** Lists categories that aren't hidden, in display order. */
export async function listCategories(tx: Tx): Promise<Category[]> {
  return await selectCategories(tx).where("hidden", "=", false).orderBy("position").execute();
}

/** Finds hidden categories, too. Throws `NOT_FOUND`. */
export async function readCategory(tx: Tx, id: string): Promise<Category> {
  return await selectCategories(tx)
    .where("id", "=", id)
    .executeTakeFirstOrThrow(orNotFound("There is no such category."));
}

function selectCategories(tx: Tx) {
  return tx
    .selectFrom("categories")
    .select(["id as _id", "product_category", "brand_img as brandImg"]);
}

/** Throws `NOT_FOUND` for a category without a picture of its own. */
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

/** Lists available laptops, newest first. Throws `NOT_FOUND` for an unknown category. */
export async function listCategoryProducts(
  tx: Tx,
  categoryId: string,
  paging: Paging,
): Promise<Page<Product>> {
  await readCategory(tx, categoryId);
  return await listAvailable(tx, { categoryId }, paging);
}

const builtInPicture = "/brands/laptop.svg";

function selectList(tx: Tx) {
  return selectCategories(tx).select(["hidden", "position"]).orderBy("position");
}

type List = Awaited<ReturnType<ReturnType<typeof selectList>["execute"]>>;

function versionOf(list: List): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("base64url").slice(0, 16);
}

const countLaptops = sql<number>`(
  select count(*)::integer from products where category_id = categories.id)`;

/** Includes hidden categories, and counts laptops in any state. */
export async function readCatalog(tx: Tx): Promise<Answer<typeof calls.readCatalog>> {
  const rows = await selectList(tx).select(countLaptops.as("laptops")).execute();
  return {
    version: versionOf(rows.map(({ laptops, ...category }) => category)),
    categories: rows.map(({ position, ...category }) => category),
  };
}

type Sent<C extends { body: z.ZodType }> = z.output<C["body"]> & { actor: string };

/** Locks the list until the transaction ends. Throws `STALE` unless its version is `basedOn`. */
async function lockList(tx: Tx, basedOn: string): Promise<List> {
  await sql`lock table categories in share row exclusive mode`.execute(tx);
  const list = await selectList(tx).execute();
  if (versionOf(list) === basedOn) return list;
  const message = "The categories have just changed. Look at the list, and then try again.";
  throw new AppError("STALE", message);
}

function requireIn(list: List, id: string): List[number] {
  const category = list.find((one) => one._id === id);
  if (!category) throw new AppError("NOT_FOUND", "There is no such category.");
  return category;
}

function requireFreeName(list: List, name: string, id?: string): void {
  const isTaken = list.some(
    (one) => one._id !== id && foldText(one.product_category) === foldText(name),
  );
  if (isTaken) throw fieldError("product_category", "Another category has this name.");
}

function requireOtherVisible(list: List, id: string): void {
  if (list.some((one) => one._id !== id && !one.hidden)) return;
  const message = "A shop needs at least one category that buyers see. Show another one first.";
  throw new AppError("IN_USE", message);
}

/** Gives each picture its own URL, so that browsers can cache it. */
function pictureColumns(id: string, picture: string) {
  if (picture === "") return { brand_img: builtInPicture, picture: null };
  const bytes = Buffer.from(picture.slice(picture.indexOf(",") + 1), "base64");
  const version = createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
  return { brand_img: `/shop/categories/${id}.png?v=${version}`, picture: bytes };
}

/** Throws `STALE`, `INVALID_INPUT` (taken name), and `IN_USE` (full list). */
export async function addCategory(
  { db, clock }: Deps,
  { actor, basedOn, product_category, picture = "" }: Sent<typeof calls.addCategory>,
): Promise<string> {
  const at = clock.now();
  const id = newId(at);
  return await transact(db, "addCategory", async (tx) => {
    const list = await lockList(tx, basedOn);
    requireFreeName(list, product_category);
    if (list.length >= maxCategories)
      throw new AppError("IN_USE", `A shop has at most ${maxCategories} categories.`);
    const position = (list.at(-1)?.position ?? 0) + 1;
    await tx
      .insertInto("categories")
      .values({ id, product_category, position, ...pictureColumns(id, picture) })
      .execute();
    await recordAudit(tx, { at, actor, verb: "add", object: "category", objectId: id });
    return id;
  });
}

/** Throws `STALE`, `NOT_FOUND`, `INVALID_INPUT` (taken name), `IN_USE` (last visible category). */
export async function changeCategory(
  { db, clock }: Deps,
  { id, actor, basedOn, ...changes }: Sent<typeof calls.changeCategory> & { id: string },
): Promise<void> {
  await transact(db, "changeCategory", async (tx) => {
    const list = await lockList(tx, basedOn);
    const before = requireIn(list, id);
    const { product_category = before.product_category, picture, place } = changes;
    const { hidden = before.hidden } = changes;
    requireFreeName(list, product_category, id);
    if (hidden) requireOtherVisible(list, id);
    await tx
      .updateTable("categories")
      .set({ product_category, hidden, ...(picture !== undefined && pictureColumns(id, picture)) })
      .where("id", "=", id)
      .execute();
    if (place !== undefined) await move(tx, list, { id, place });
    const detail = {
      ...(product_category !== before.product_category && { before: before.product_category }),
      ...(hidden !== before.hidden && { hidden }),
      ...(place !== undefined && { place }),
    };
    const at = clock.now();
    await recordAudit(tx, { at, actor, verb: "change", object: "category", objectId: id, detail });
  });
}

async function move(tx: Tx, list: List, { id, place }: { id: string; place: number }) {
  const others = list.map((one) => one._id).filter((one) => one !== id);
  const order = others.toSpliced(place - 1, 0, id);
  await sql`update categories set position = array_position(${order}::uuid[], id)
    where position <> array_position(${order}::uuid[], id)`.execute(tx);
}

/**
 * Deletes a category after moving its laptops to `moveTo`. Throws `STALE`, `NOT_FOUND`,
 * `INVALID_INPUT` (`moveTo` is unknown or the same category), and `IN_USE` (last visible category).
 */
export async function deleteCategory(
  { db, clock }: Deps,
  { id, actor, basedOn, moveTo }: Sent<typeof calls.deleteCategory> & { id: string },
): Promise<void> {
  await transact(db, "deleteCategory", async (tx) => {
    const list = await lockList(tx, basedOn);
    const from = requireIn(list, id);
    const to = list.find((one) => one._id === moveTo);
    if (!to || id === moveTo)
      throw fieldError("moveTo", "Choose another category for the laptops.");
    requireOtherVisible(list, id);
    // Waits for transactions that add listings to this category. Later ones fail.
    await tx.selectFrom("categories").select("id").where("id", "=", id).forUpdate().execute();
    const { numUpdatedRows } = await tx
      .updateTable("products")
      .set({ category_id: moveTo })
      .where("category_id", "=", id)
      .executeTakeFirst();
    const at = clock.now();
    await replaceCategory(tx, { from: id, to: moveTo, at });
    await tx.deleteFrom("categories").where("id", "=", id).execute();
    const detail = {
      name: from.product_category,
      movedTo: to.product_category,
      laptops: Number(numUpdatedRows),
    };
    await recordAudit(tx, { at, actor, verb: "delete", object: "category", objectId: id, detail });
  });
}
