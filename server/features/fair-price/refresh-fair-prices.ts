import { sql } from "kysely";
import { cacheTags } from "#contract/cache-tags.ts";
import type { Condition } from "#contract/products.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import type { KnownFacts } from "../search-index/listing-document.ts";
import { type PriceFeatures, priceFeatures } from "./price-features.ts";
import {
  estimate,
  fitPrices,
  type GroupEffect,
  minSales,
  type PriceModel,
  type Sale,
  typicalAge,
} from "./price-model.ts";
import { readModel, toGroup } from "./read-fair-price.ts";
import { likelyOriginal } from "./stated-originals.ts";

const batchSize = 500;
/** Fits the newest sales, because they predict prices best. */
const mostFitted = 20_000;
/** With fewer sales, no price is estimated. */
const fewestFitted = 40;
/** Smaller changes in an estimate's logarithm are not published. */
const material = 0.02;

/** Nightly job. Publishes only material changes: few pages become stale (decisions/fair-prices). */
export async function refreshFairPrices(deps: Deps): Promise<void> {
  let changed = 0;
  for (let taken = batchSize; taken === batchSize; changed += taken) taken = await takeSales(deps);
  if (changed > 0) await fitAgain(deps);
}

/** Returns the number of changes in the batch. */
async function takeSales({ db }: Deps): Promise<number> {
  return await transact(db, "takeSales", async (tx) => {
    const { rows } = await sql<{ booking_id: string }>`
      delete from fair_price_changes where id in (
        select id from fair_price_changes order by id limit ${sql.lit(batchSize)} for update skip locked
      ) returning booking_id`.execute(tx);
    const ids = [...new Set(rows.map(({ booking_id }) => booking_id))];
    if (ids.length === 0) return 0;
    const sold = (await readSold(tx, ids)).filter(({ cents }) => cents > 0);
    if (sold.length > 0) await tx.insertInto("fair_price_sales").values(sold).execute();
    return rows.length;
  });
}

async function readSold(tx: Tx, ids: string[]) {
  const rows = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("categories", "categories.id", "products.category_id")
    .leftJoin("laptop_facts", "laptop_facts.product_id", "products.id")
    .select(["bookings.id", "bookings.booked_at", "bookings.price_cents", "product_category"])
    .select(["product_name", "description", "condition", "original_cents", "use_duration"])
    .select(["year_of_purchase", "posted_at"])
    .select(sql<KnownFacts | null>`to_jsonb(laptop_facts)`.as("facts"))
    .where("bookings.id", "in", ids)
    .where("bookings.state", "=", "completed")
    .execute();
  return rows.map((row) => {
    const listing = {
      name: row.product_name,
      description: row.description,
      category: row.product_category,
      condition: row.condition as Condition,
      originalCents: row.original_cents,
      useMonths: row.use_duration,
      yearOfPurchase: row.year_of_purchase,
      facts: row.facts ?? undefined,
    };
    const features = JSON.stringify(priceFeatures(listing, row.posted_at));
    return { booking_id: row.id, sold_at: row.booked_at, cents: row.price_cents, features };
  });
}

async function fitAgain({ db }: Deps): Promise<void> {
  const rows = await db
    .selectFrom("fair_price_sales")
    .select(["cents", "features"])
    .orderBy("sold_at", "desc")
    .limit(mostFitted)
    .execute();
  const sales = rows.map(({ cents, features }): Sale => {
    return { cents, ...(features as unknown as PriceFeatures) };
  });
  const fitted =
    sales.length < fewestFitted
      ? { coefficients: [], groups: new Map<string, GroupEffect>(), ranges: {} }
      : await fitPrices(sales);
  const known = await readModel(db);
  const published = await readAllGroups(db);
  const isMoved =
    !known ||
    known.coefficients.length === 0 ||
    movesBy(sales, { ...known, groups: published }, fitted) > material;
  // If the coefficients stay the same, only the groups whose prices moved need to be published.
  const model = isMoved ? fitted : await fitPrices(sales, known.coefficients);
  await transact(db, "publishFairPrices", async (tx) => {
    const changes = changedGroups(published, model.groups, isMoved);
    await publish(tx, model, changes);
    const all = isMoved || changes.length > 90;
    const tags = all
      ? [cacheTags.fairPrices]
      : changes.map(({ name }) => cacheTags.fairPrice(name));
    await sql`select record_public_change(${tags}::text[])`.execute(tx);
  });
}

async function readAllGroups(tx: Tx): Promise<Map<string, GroupEffect>> {
  const rows = await tx.selectFrom("fair_price_groups").selectAll().execute();
  return new Map(rows.map((row) => [row.name, toGroup(row)]));
}

/** The mean difference between two models' price ranges, in logarithms. */
function movesBy(sales: Sale[], one: PriceModel, other: PriceModel): number {
  const moves = sales.flatMap((sale) => {
    const [a, b] = [estimate(one, sale), estimate(other, sale)];
    // If only one model estimates a sale, the sale's groups changed and are published anyway.
    if (!a || !b) return [];
    return Math.max(Math.abs(Math.log(a.low / b.low)), Math.abs(Math.log(a.high / b.high)));
  });
  return moves.reduce((sum, move) => sum + move, 0) / Math.max(1, moves.length);
}

type Change = { name: string; group: GroupEffect | undefined };

function changedGroups(
  published: Map<string, GroupEffect>,
  groups: Map<string, GroupEffect>,
  all: boolean,
): Change[] {
  const names = [...new Set([...published.keys(), ...groups.keys()])];
  return names.flatMap((name) => {
    const [before, group] = [published.get(name), groups.get(name)];
    return all || isMaterial(before, group) ? [{ name, group }] : [];
  });
}

function isMaterial(before: GroupEffect | undefined, after: GroupEffect | undefined): boolean {
  if (!before || !after) return before !== after;
  const isShown = (group: GroupEffect) => group.sales >= minSales;
  const differs = (years: number) =>
    Math.abs(effectAt(before, years) - effectAt(after, years)) > material;
  const { originals } = after;
  return (
    (originals !== undefined &&
      Math.abs(likelyOriginal(originals.mean, before.originals) - originals.mean) > material) ||
    isShown(before) !== isShown(after) ||
    Math.abs(after.sales - before.sales) > before.sales / 5 ||
    differs(0) ||
    differs(2 * typicalAge)
  );
}

function effectAt({ effect, slope }: GroupEffect, years: number): number {
  return effect + slope * (years - typicalAge);
}

async function publish(tx: Tx, model: PriceModel, changes: Change[]): Promise<void> {
  const row = {
    coefficients: JSON.stringify(model.coefficients),
    ranges: JSON.stringify(model.ranges),
  };
  await tx
    .insertInto("fair_price_model")
    .values(row)
    .onConflict((conflict) => conflict.column("single_row").doUpdateSet(row))
    .execute();
  const names = changes.map(({ name }) => name);
  await sql`delete from fair_price_groups where name = any(${names}::text[])`.execute(tx);
  const kept = changes.flatMap(({ name, group }) => {
    if (!group) return [];
    const { originals, ...effect } = group;
    const { mean: original_mean = null, squares: original_squares = null } = originals ?? {};
    return { name, ...effect, original_mean, original_squares };
  });
  await sql`
    insert into fair_price_groups (name, sales, effect, slope, original_mean, original_squares)
    select * from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
      as kept (name text, sales integer, effect double precision, slope double precision,
        original_mean double precision, original_squares double precision)`.execute(tx);
}
