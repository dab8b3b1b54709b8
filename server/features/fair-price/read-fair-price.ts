import type { Selectable } from "kysely";
import type { z } from "zod";
import type { FairPriceRange, readFairPrice } from "#contract/fair-price.ts";
import { toCents, toDollars } from "#contract/price.ts";
import type { Condition } from "#contract/products.ts";
import type { Tx } from "../../db/database.ts";
import type { FairPriceGroups } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { KnownFacts } from "../search-index/listing-document.ts";
import { levels, type PriceFeatures, priceFeatures } from "./price-features.ts";
import { estimate, type GroupEffect, keyOf, type PriceModel } from "./price-model.ts";

type Row = {
  product_name: string;
  description: string;
  category: string;
  condition: Condition;
  original_cents: number;
  use_duration: number;
  year_of_purchase: number;
  posted_at: Date;
  facts: object | null;
};

/** For the age when listed. Null if too few similar laptops were sold. */
export async function fairPriceOf(tx: Tx, row: Row): Promise<FairPriceRange | null> {
  const listing = {
    name: row.product_name,
    description: row.description,
    category: row.category,
    condition: row.condition,
    originalCents: row.original_cents,
    useMonths: row.use_duration,
    yearOfPurchase: row.year_of_purchase,
    facts: (row.facts ?? undefined) as KnownFacts | undefined,
  };
  return await readRange(tx, priceFeatures(listing, row.posted_at));
}

type Asked = z.output<(typeof readFairPrice)["query"]>;

/** Throws `INVALID_INPUT` for an unknown category. */
export async function fairPriceFor(
  { db, clock }: Deps,
  asked: Asked,
): Promise<FairPriceRange | null> {
  const category = await nameOfCategory(db, asked.category);
  if (category === undefined) {
    const message = "Choose a category.";
    throw new AppError("INVALID_INPUT", message, { category: message });
  }
  const { name, condition, originalPrice, useDuration, yearOfPurchase } = asked;
  const listing = { name, description: "", category, condition, yearOfPurchase };
  const told = {
    originalCents: toCents(originalPrice),
    useMonths: useDuration,
    facts: statedSoFar(asked),
  };
  return await readRange(db, priceFeatures({ ...listing, ...told }, clock.now()));
}

function statedSoFar(asked: Asked): KnownFacts {
  const { brand = null, model_line = null, cpu = null, gpu = null } = asked;
  const { ram_gb = null, storage_gb = null, battery_health = null } = asked;
  const numbers = { ram_gb, storage_gb, battery_health, screen_inches: null };
  const others = { operating_system: null, keyboard_layout: null, ports: null };
  return { brand, model_line, cpu, gpu, ...numbers, ...others };
}

async function nameOfCategory(tx: Tx, id: string): Promise<string | undefined> {
  const category = await tx
    .selectFrom("categories")
    .select("product_category")
    .where("id", "=", id)
    .executeTakeFirst();
  return category?.product_category;
}

async function readRange(tx: Tx, features: PriceFeatures): Promise<FairPriceRange | null> {
  const names = levels.map((level) => keyOf(level, features.groups));
  const [model, groups] = await Promise.all([readModel(tx), readGroups(tx, names)]);
  const fair = model && estimate({ ...model, groups }, features);
  if (!fair) return null;
  const { low, high, sales, level } = fair;
  return { low: roundedDollars(low), high: roundedDollars(high), sales, level };
}

/** Rounds to $5 or ¥500, because an estimate isn't exact. */
function roundedDollars(cents: number): number {
  return toDollars(Math.max(500, 500 * Math.round(cents / 500)));
}

async function readModel(tx: Tx): Promise<Omit<PriceModel, "groups"> | undefined> {
  const row = await tx
    .selectFrom("fair_price_model")
    .select(["coefficients", "ranges"])
    .executeTakeFirst();
  return (
    row && {
      coefficients: row.coefficients as number[],
      ranges: row.ranges as PriceModel["ranges"],
    }
  );
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
