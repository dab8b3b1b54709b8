import { setImmediate as nextTurn } from "node:timers/promises";
import { type Selectable, sql } from "kysely";
import type { z } from "zod";
import type { FairPriceRange, readFairPrice } from "#contract/fair-price.ts";
import { toCents, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { FairPriceGroups } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";
import { fieldError } from "../../errors.ts";
import { factsColumn } from "../products/facts.ts";
import { levels, type PricedListing, type PriceFeatures, priceFeatures } from "./price-features.ts";
import {
  estimate,
  fitPrices,
  type GroupEffect,
  keyOf,
  type PriceModel,
  type Sale,
} from "./price-model.ts";

/** Uses the laptop's age at listing. Returns null if too few similar laptops were sold. */
export async function fairPriceOf(
  tx: Tx,
  listing: PricedListing & { posted_at: Date },
): Promise<FairPriceRange | null> {
  return await readRange(tx, priceFeatures(listing, listing.posted_at));
}

type Asked = z.output<(typeof readFairPrice)["query"]>;

/** Throws `INVALID_INPUT` for an unknown category. */
export async function fairPriceFor(
  { db, clock }: Deps,
  asked: Asked,
): Promise<FairPriceRange | null> {
  const category = await db
    .selectFrom("categories")
    .select("product_category as name")
    .where("id", "=", asked.category)
    .executeTakeFirstOrThrow(() => fieldError("category", "Choose a category."));
  const listing = {
    product_name: asked.name,
    description: "",
    category: category.name,
    condition: asked.condition,
    original_cents: toCents(asked.originalPrice),
    use_duration: asked.useDuration,
    year_of_purchase: asked.yearOfPurchase,
    facts: asked,
  };
  return await readRange(db, priceFeatures(listing, clock.now()));
}

async function readRange(tx: Tx, features: PriceFeatures): Promise<FairPriceRange | null> {
  const names = levels.map((level) => keyOf(level, features.groups));
  const [model, groups] = await Promise.all([readModel(tx), readGroups(tx, names)]);
  const fair = model && estimate({ ...model, groups }, features);
  if (!fair) return null;
  const { low, high, sales, level } = fair;
  return { low: roundedDollars(low), high: roundedDollars(high), sales, level };
}

/** Rounds to 500 of the smallest unit, such as $5 or ¥500: an estimate isn't exact. */
function roundedDollars(cents: number): number {
  return toDollars(Math.max(500, 500 * Math.round(cents / 500)));
}

async function readModel(tx: Tx): Promise<Omit<PriceModel, "groups"> | undefined> {
  const row = await tx
    .selectFrom("fair_price_model")
    .select(["coefficients", "ranges"])
    .executeTakeFirst();
  return row as Omit<PriceModel, "groups"> | undefined;
}

async function readGroups(tx: Tx, names: string[]): Promise<PriceModel["groups"]> {
  const rows = await tx
    .selectFrom("fair_price_groups")
    .selectAll()
    .where("name", "in", names)
    .execute();
  return new Map(rows.map((row) => [row.name, toGroup(row)]));
}

type GroupRow = Selectable<FairPriceGroups>;

function toGroup({ sales, effect, slope, ...row }: GroupRow): GroupEffect {
  const { original_mean: mean, original_squares: squares } = row;
  const originals = mean === null || squares === null ? undefined : { sales, mean, squares };
  return { sales, effect, slope, originals };
}

/** Maximum number of sales to fit, newest first. */
const maxFitted = 20_000;
/** With fewer sales, no price is estimated. */
const minFitted = 40;
/** Sales to process before other work gets a turn. */
const salesPerTurn = 20;

/** Nightly job. Laptop pages show the new prices within an hour (contract/laptop-page.ts). */
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
    // Ids sort by age, and unlike `booked_at` alone, they have an index.
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
    insert into fair_price_groups
    select * from jsonb_populate_recordset(null::fair_price_groups, ${JSON.stringify(rows)}::jsonb)`.execute(
    tx,
  );
}
