import { randomBytes } from "node:crypto";
import type { Insertable } from "kysely";
import type { Tx } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import { recordAudit } from "../db/record-audit.ts";
import type { Products } from "../db/schema.ts";
import { goodLaptop } from "./marketplace.ts";
import type { Person } from "./people.ts";
import type { Shop } from "./shop.ts";

type Columns = Partial<Insertable<Products>>;
type Changes = Pick<Insertable<Products>, "seller_id"> & Columns;

/** Like `listing`, but without photo files and facts, and not indexed for search. */
export async function insertLaptop({ deps, clock }: Shop, { id }: Person, changes: Columns = {}) {
  return await insertProduct(deps.db, clock.now(), { seller_id: id, ...changes });
}

/** Inserts a photo's row, because an upload takes longer than a listing. Returns its path. */
export async function insertPhoto(
  { deps, clock }: Shop,
  { id: member_id }: Person,
  sha256 = randomBytes(32).toString("hex"),
): Promise<string> {
  const at = clock.now();
  const image = { id: newId(at), member_id, sha256, bytes: 1, created_at: at };
  await deps.db.insertInto("images").values(image).execute();
  return `/images/${sha256}.jpg`;
}

/** Faster than the API. Writes the audit row, too, and returns the laptop's id. */
export async function insertProduct(tx: Tx, at: Date, changes: Changes): Promise<string> {
  const { id: category_id } = await tx
    .selectFrom("categories")
    .select("id")
    .orderBy("position")
    .executeTakeFirstOrThrow();
  const { resale_price, original_price, yearOf_purchase, ...laptop } = goodLaptop;
  const id = newId(at);
  const prices = { resale_cents: resale_price * 100, original_cents: original_price * 100 };
  const listed = { img: "/images/none.jpg", posted_at: at, year_of_purchase: yearOf_purchase };
  await tx
    .insertInto("products")
    .values({ id, category_id, ...laptop, ...prices, ...listed, ...changes })
    .execute();
  const actor = changes.seller_id;
  await recordAudit(tx, { at, actor, verb: "list", object: "product", objectId: id });
  return id;
}
