import { sql } from "kysely";
import { similarCount } from "#contract/laptop-page.ts";
import type { Product } from "#contract/products.ts";
import type { Tx } from "../../db/database.ts";
import { graphics, processors } from "../search-index/dictionary.ts";
import { processorTier } from "../search-index/model-groups.ts";
import { selectAvailable, toProduct } from "./product-rows.ts";

/** Maximum candidates of each group at or above the laptop's price, and again below that price. */
const nearest = { model: 16, line: 16, category: 8 };

/** The tier of each processor, for lookups by `search_documents.processor`, which counts from 1. */
const tiers = processors.map(processorTier);
const gamingCards = (["rtx", "gtx", "quadro"] as const).map((name) => graphics.indexOf(name) + 1);

/**
 * Lists the best matches first, but further copies of one seller's model last
 * (decisions/similar-laptops).
 */
export async function listSimilar(tx: Tx, id: string): Promise<Product[]> {
  const rows = await selectAvailable(tx)
    .innerJoin(alike(id).as("alike"), "alike.product_id", "products.id")
    .orderBy("alike.repeated")
    .orderBy("alike.difference")
    .orderBy("products.id")
    .limit(similarCount)
    .execute();
  return rows.map(toProduct);
}

type Alike = { product_id: string; difference: number; repeated: boolean };

function alike(id: string) {
  return sql<Alike>`(
    with this as materialized (
      select p.id, p.category_id, p.resale_cents, p.seller_id, d.category, d.model, d.line, d.processor, d.graphics,
        d.ram, d.storage, d.screen
      from products p left join search_documents d on d.product_id = p.id
      where p.id = ${id}
    ), candidates as materialized (
      select distinct near.product_id from this cross join lateral (
        ${nearestOf("model")} union all ${nearestOf("line")} union all ${nearestInCategory}
      ) as near
      where near.product_id <> this.id
    ), compared as (
      select d.product_id, p.seller_id, d.model, ${difference} as difference,
        p.seller_id = this.seller_id and d.model is not distinct from this.model as is_own_copy
      from this, candidates
        join search_documents d on d.product_id = candidates.product_id
        join products p on p.id = candidates.product_id
    )
    select product_id, difference, is_own_copy or row_number() over (
      partition by seller_id, coalesce(model, product_id::text) order by difference, product_id) > 1 as repeated
    from compared)`;
}

function nearestOf(group: "model" | "line") {
  const column = sql.ref(`d.${group}`);
  const side = (dearer: boolean) => sql`(
    select d.product_id from search_documents d
    where d.listed and d.category = this.category and ${column} = ${sql.ref(`this.${group}`)}
      and d.price_cents ${sql.raw(dearer ? ">=" : "<")} this.resale_cents
    order by d.price_cents ${sql.raw(dearer ? "" : "desc")} limit ${sql.lit(nearest[group])})`;
  return sql`${side(true)} union all ${side(false)}`;
}

const inCategory = (dearer: boolean) => sql`(
  select p.id from products p
  where p.sales_status = 'available' and p.deleted_at is null and p.category_id = this.category_id
    and p.resale_cents ${sql.raw(dearer ? ">=" : "<")} this.resale_cents
  order by p.resale_cents ${sql.raw(dearer ? "" : "desc")}, p.id ${sql.raw(dearer ? "" : "desc")}
  limit ${sql.lit(nearest.category)})`;
const nearestInCategory = sql`${inCategory(true)} union all ${inCategory(false)}`;

/** SQL: the number of doublings between two sizes. An unknown size counts as half a doubling. */
const doublings = (column: "ram" | "storage") =>
  sql`coalesce(abs(ln(d.${sql.raw(column)}::float8 / this.${sql.raw(column)})) / ln(2), 0.5)`;

const isGaming = (row: "d" | "this") =>
  sql`coalesce(${sql.ref(`${row}.graphics`)} = any(array[${sql.raw(gamingCards.join(", "))}]), false)`;

const tierOf = (row: "d" | "this") =>
  sql`(array[${sql.raw(tiers.join(", "))}])[${sql.ref(`${row}.processor`)}]`;

/**
 * SQL: how `d` differs from `this`. A 50% higher price counts about as much as one processor tier.
 */
const difference = sql<number>`(
  case when d.model = this.model then 0 when d.line = this.line then 1.5 else 4 end
  + case when d.processor = this.processor then 0
      else coalesce(0.4 + 0.6 * abs(${tierOf("d")} - ${tierOf("this")}), 0.5) end
  + 0.7 * ${doublings("ram")}
  + 0.4 * ${doublings("storage")}
  + 0.5 * coalesce(abs(d.screen - this.screen) / 10.0, 0.5)
  + case when ${isGaming("d")} = ${isGaming("this")} then 0 else 2 end
  + 2.5 * abs(ln(d.price_cents::float8 / this.resale_cents)))::float8`;
