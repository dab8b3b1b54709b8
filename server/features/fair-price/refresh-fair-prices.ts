import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { factsColumn } from "../products/facts.ts";
import { priceFeatures } from "./price-features.ts";
import { fitPrices, type PriceModel, type Sale } from "./price-model.ts";

/** Fits the newest sales, because they predict prices best. */
const maxFitted = 20_000;
/** With fewer sales, no price is estimated. */
const minFitted = 40;
/** Reading a listing's features takes about a millisecond. */
const salesPerTurn = 20;

/** Nightly job. Laptop pages show the new prices within an hour (contract/laptops.ts). */
export async function refreshFairPrices({ db }: Deps): Promise<void> {
  const sales = await readSales(db);
  const model = sales.length < minFitted ? undefined : await fitPrices(sales);
  await transact(db, "publishFairPrices", async (tx) => await publish(tx, model));
}

async function readSales(tx: Tx): Promise<Sale[]> {
  const rows = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("categories", "categories.id", "products.category_id")
    .leftJoin("laptop_facts", "laptop_facts.product_id", "products.id")
    .select(["bookings.price_cents", "product_category as category"])
    .select(["product_name", "description", "condition", "original_cents"])
    .select(["use_duration", "year_of_purchase", "posted_at", factsColumn])
    .where("bookings.state", "=", "completed")
    .where("bookings.price_cents", ">", 0)
    // Ids sort by age and have an index; `booked_at` alone has none.
    .orderBy("bookings.id", "desc")
    .limit(maxFitted)
    .execute();
  const sales: Sale[] = [];
  for (const row of rows) {
    sales.push({ cents: row.price_cents, ...priceFeatures(row, row.posted_at) });
    if (sales.length % salesPerTurn === 0) await nextTurn();
  }
  return sales;
}

async function publish(tx: Tx, model: PriceModel | undefined): Promise<void> {
  await tx.deleteFrom("fair_price_model").execute();
  await tx.deleteFrom("fair_price_groups").execute();
  if (!model) return;
  const { coefficients, ranges, groups } = model;
  await tx
    .insertInto("fair_price_model")
    .values({ coefficients: JSON.stringify(coefficients), ranges: JSON.stringify(ranges) })
    .execute();
  const rows = [...groups].map(([name, { sales, effect, slope, originals }]) => {
    const { mean: original_mean = null, squares: original_squares = null } = originals ?? {};
    return { name, sales, effect, slope, original_mean, original_squares };
  });
  await sql`
    insert into fair_price_groups (name, sales, effect, slope, original_mean, original_squares)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as fitted (name text, sales integer, effect double precision, slope double precision,
        original_mean double precision, original_squares double precision)`.execute(tx);
}
