import { randomBytes } from "node:crypto";
import { type Insertable, sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Tx } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import { recordAudit } from "../db/record-audit.ts";
import type { Products } from "../db/schema.ts";
import { goodLaptop } from "./marketplace.ts";

/** A test's shop, or the database of a server in another process. */
type Place = { deps: { db: Tx; clock: Clock } };
type Owner = { id: string };

/** Like `listing`, but faster: without photo files and facts, and without indexed text. */
export async function insertLaptop(
  { deps: { db, clock } }: Place,
  seller: Owner,
  changes: Partial<Insertable<Products>> = {},
): Promise<string> {
  const at = clock.now();
  const { id: category_id } = await db
    .selectFrom("categories")
    .select("id")
    .orderBy("position")
    .executeTakeFirstOrThrow();
  const { resale_price, original_price, yearOf_purchase, ...laptop } = goodLaptop;
  const id = newId(at);
  const prices = { resale_cents: resale_price * 100, original_cents: original_price * 100 };
  const listed = { img: "/images/none.jpg", posted_at: at, year_of_purchase: yearOf_purchase };
  await db
    .insertInto("products")
    .values({ id, category_id, seller_id: seller.id, ...laptop, ...prices, ...listed, ...changes })
    .execute();
  await recordAudit(db, { at, actor: seller.id, verb: "list", object: "product", objectId: id });
  return id;
}

/** Copies a laptop's row, with other values for `changes`. Returns the copies' ids. */
export async function copyLaptop(
  { deps: { db } }: Pick<Place, "deps">,
  id: string,
  { count = 1, ...changes }: Partial<Insertable<Products>> & { count?: number } = {},
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into products
    select (jsonb_populate_record(p, ${JSON.stringify(changes)}::jsonb
      || jsonb_build_object('id', gen_random_uuid()))).*
    from products p, generate_series(1, ${count}::integer) where id = ${id}
    returning id`.execute(db);
  return rows.map((row) => row.id);
}

/** Inserts only a photo's row, because an upload takes longer. Returns the photo's path. */
export async function insertPhoto(
  { deps: { db, clock } }: Place,
  { id: member_id }: Owner,
  sha256 = randomBytes(32).toString("hex"),
): Promise<string> {
  const at = clock.now();
  const image = { id: newId(at), member_id, sha256, bytes: 1, created_at: at };
  await db.insertInto("images").values(image).execute();
  return `/images/${sha256}.jpg`;
}
