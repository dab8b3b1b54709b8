import { sql } from "kysely";
import { toDollars } from "#contract/price.ts";
import { maxSavedProducts, type SavedProduct } from "#contract/saved-products.ts";
import { type Tx, transact } from "../../db/database.ts";
import { lockMember, type Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { unnamedLaptop } from "../../email/email-phrases.ts";
import { setEmails, wantsEmails } from "../../email/opt-outs.ts";
import { AppError } from "../../errors.ts";
import { selectProducts, toProduct } from "../products/product-rows.ts";

/** SQL: the state to compare with `known_state`. `removed`: not offered. */
export const stateColumn = sql<"available" | "booked" | "sold" | "removed">`
  case when products.deleted_at is not null or seller.deleted_at is not null or seller.suspended_at is not null
    or products.sales_status = 'waiting' then 'removed' else products.sales_status::text end`;

/** SQL: the name to show; null if the listing was taken down or the seller has left. */
export const shownNameColumn = sql<string | null>`
  case when not products.taken_down and seller.deleted_at is null then products.product_name end`;

/** SQL: whether a member has paid for a laptop and was not refunded before the handover. */
export const boughtColumn = (memberId: string) => sql<boolean>`
  exists (select from bookings where bookings.product_id = products.id and buyer_id = ${memberId}
    and bookings.state in ('paid', 'completed'))`;

export async function listSavedProducts(
  tx: Tx,
  { id }: Member,
  paging: Paging,
): Promise<Page<SavedProduct>> {
  const query = selectProducts(tx)
    .innerJoin("saved_products as saved", "saved.product_id", "products.id")
    .select(["saved.saved_at", "saved.saved_cents", stateColumn.as("state")])
    .select([shownNameColumn.as("shown_name"), boughtColumn(id).as("bought")])
    .where("saved.member_id", "=", id);
  return await newestFirst(
    query,
    { at: "saved.saved_at", id: "saved.product_id", ...paging },
    (row) => ({
      _id: row.id,
      product_name: row.shown_name ?? unnamedLaptop,
      savedAt: row.saved_at.toISOString(),
      savedPrice: toDollars(row.saved_cents),
      bought: row.bought,
      product: row.state === "removed" ? null : toProduct(row),
    }),
  );
}

export async function listSavedProductIds(tx: Tx, { id }: Member) {
  const rows = await tx
    .selectFrom("saved_products")
    .select("product_id")
    .where("member_id", "=", id)
    .execute();
  return {
    ids: rows.map(({ product_id }) => product_id),
    emails: await wantsEmails(tx, "saved-laptops", id),
  };
}

/**
 * A repeated call changes nothing. Throws `NOT_FOUND` or `TOO_MANY_SAVED`. Adds no audit row,
 * because the audit log can't be erased (decisions/saved).
 */
export async function saveProduct(
  { db, clock }: Deps,
  { id: member_id }: Member,
  product_id: string,
): Promise<void> {
  const at = clock.now();
  await transact(db, "saveProduct", async (tx) => {
    await lockSettings(tx, member_id, at);
    const product = await lockOffered(tx, product_id);
    const saved = await tx
      .selectFrom("saved_products")
      .select("product_id")
      .where("member_id", "=", member_id)
      .execute();
    if (saved.some((one) => one.product_id === product_id)) return;
    if (saved.length >= maxSavedProducts)
      throw new AppError(
        "TOO_MANY_SAVED",
        `You have saved ${maxSavedProducts} laptops, which is the most you can. Remove one first.`,
      );
    const { state: known_state, resale_cents: cents } = product;
    const known = { saved_cents: cents, known_cents: cents, known_state };
    await tx
      .insertInto("saved_products")
      .values({ member_id, product_id, saved_at: at, ...known })
      .execute();
  });
}

/** Locks the member against deletion, and the settings against concurrent saves over the limit. */
async function lockSettings(tx: Tx, memberId: string, at: Date): Promise<void> {
  await lockMember(tx, memberId, "share");
  await tx
    .insertInto("saved_product_settings")
    .values({ member_id: memberId, next_email_at: at })
    .onConflict((conflict) => conflict.column("member_id").doUpdateSet({ member_id: memberId }))
    .execute();
}

/**
 * Locks the laptop, so that a concurrent change either is in the returned price and state or
 * triggers an email.
 */
async function lockOffered(tx: Tx, id: string) {
  const product = await tx
    .selectFrom("products")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .select(["products.resale_cents", stateColumn.as("state")])
    .where("products.id", "=", id)
    .forShare("products")
    .executeTakeFirst();
  if (!product || product.state === "removed")
    throw new AppError("NOT_FOUND", "This laptop is no longer for sale.");
  return product;
}

/** Throws `NOT_FOUND`. */
export async function unsaveProduct(
  { db }: Deps,
  member: Member,
  productId: string,
): Promise<void> {
  await transact(db, "unsaveProduct", async (tx) => {
    const removed = await tx
      .deleteFrom("saved_products")
      .where("member_id", "=", member.id)
      .where("product_id", "=", productId)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n)
      throw new AppError("NOT_FOUND", "This laptop is not among your saved ones.");
  });
}

/** Turns the emails on or off. Changes made while they were off are not emailed later. */
export async function setSavedProductEmails(
  { db, clock }: Deps,
  { id }: Member,
  emails: boolean,
): Promise<void> {
  await transact(db, "setSavedProductEmails", async (tx) => {
    await lockSettings(tx, id, clock.now());
    const isChanged = await setEmails(tx, { topic: "saved-laptops", memberId: id }, emails);
    if (!emails || !isChanged) return;
    await sql`
      update saved_products set changed = false, known_cents = least(known_cents, products.resale_cents),
        known_state = ${stateColumn}
      from products join members as seller on seller.id = seller_id
      where products.id = product_id and member_id = ${id}`.execute(tx);
  });
}

export async function deleteSavedProducts(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("saved_products").where("member_id", "=", memberId).execute();
  await tx.deleteFrom("saved_product_settings").where("member_id", "=", memberId).execute();
}
