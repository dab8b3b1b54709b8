import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type FilterName,
  filterNames,
  type SearchSort,
  searchPriceBands,
} from "#contract/search.ts";
import { readRow, type Tx } from "../../db/database.ts";
import { type ActiveFilter, anyWord, type WordsQuery } from "./active-filters.ts";
import type { SearchPlace } from "./near.ts";
import type { Mark, Order } from "./sort-orders.ts";

export type Search = {
  words: WordsQuery;
  filters: ActiveFilter[];
  sort: SearchSort;
  place: SearchPlace | undefined;
  /** Whether the shop has few enough listings to read all of them. */
  isSmallShop: boolean;
};

export type SortedSearch = Search & { order: Order };

/** How many listings have this facet value and pass the filters of all other facets. */
export type Counted = { facet: FilterName; value: number; count: number };

/** Listing counts by failed filters. `bits`: one bit per failed filter; 0 if none failed. */
export type FailureCounts = { bits: number; count: number }[];

export type Match = Mark & { product_id: string; place: number | null };

export type Matches = { failures: FailureCounts; counts: Counted[]; best: Match[] };

type MatchQuery = {
  conditions: RawBuilder<SqlBool>[];
  page: { offset: number; limit: number };
  after?: Mark | undefined;
  byWords?: boolean;
};

/** Sorts the best listings, and counts facets and failed filters, in one statement. */
export async function readMatches(
  tx: Tx,
  search: SortedSearch,
  { conditions, page, after, byWords = false }: MatchQuery,
): Promise<Matches> {
  const { filters, order } = search;
  const isAfter = after ? order.range({ after }) : sql`true`;
  const query = sql<{ [Name in keyof Matches]: Matches[Name] | null }>`
    with d as materialized (
      select ${sortColumns(search, byWords)}, ${failedBits(filters)} as bits, ${isAfter} as is_after, ${facetColumns}
      from search_documents d ${order.join ?? sql``} where ${sql.join(conditions, sql` and `)}
    )
    select
      (select json_agg(one) from (select bits, count(*)::integer from d group by bits) as one) as failures,
      (select json_agg(one) from (${countFacets(filters)}) as one) as counts,
      (select json_agg(one) from (
        select * from (select product_id, place, key, quality, rank, sorted from d where bits = 0 and is_after) as d
        ${sortedPage(order, page)}) as one) as best`;
  const { failures, counts, best } = await readRow(tx, query);
  return { failures: failures ?? [], counts: counts ?? [], best: best ?? [] };
}

export async function readBest(
  tx: Tx,
  search: SortedSearch,
  { conditions, page, byWords = false }: MatchQuery,
): Promise<Match[]> {
  const { order } = search;
  // "offset 0" keeps PostgreSQL from walking an index in this order until enough listings match.
  const { rows } = await sql<Match>`
    select product_id, place, key::float8, quality from (
      select ${sortColumns(search, byWords)} from search_documents d ${order.join ?? sql``}
      where ${sql.join(conditions, sql` and `)} offset 0
    ) as d ${sortedPage(order, page)}`.execute(tx);
  return rows;
}

function sortColumns({ words, order }: SortedSearch, byWords: boolean): RawBuilder<unknown> {
  const rank = byWords
    ? sql`ts_rank('{0.1, 0.3, 0.5, 1}', d.tokens, ${anyWord(words.every)}::tsquery) + d.quality / 4000.0`
    : sql`0`;
  return sql`d.product_id, d.place, d.quality, ${order.column} as sorted, ${order.key} as key, ${rank} as rank`;
}

function sortedPage({ down }: Order, { offset, limit }: MatchQuery["page"]): RawBuilder<unknown> {
  return sql`order by rank desc, sorted ${sql.raw(down ? "desc" : "asc")}, quality desc, product_id desc
    limit ${limit}::integer offset ${offset}::integer`;
}

function failedBits(filters: ActiveFilter[]): RawBuilder<number> {
  if (filters.length === 0) return sql`0`;
  const bits = filters.map(
    ({ test }, index) => sql`case when ${test} then 0 else ${sql.lit(2 ** index)} end`,
  );
  return sql`(${sql.join(bits, sql` + `)})`;
}

const bands = sql.join(searchPriceBands.map((hundreds) => sql.lit(hundreds * 100)));

const facetValues: Record<FilterName, RawBuilder<unknown>> = {
  category: sql`d.category`,
  price: sql`width_bucket(d.price_cents, array[${bands}])`,
  ram: sql`d.ram`,
  storage: sql`d.storage`,
  cpu: sql`d.processor`,
  gpu: sql`d.graphics`,
  screen: sql`d.screen / 10`,
  battery: sql`d.battery / 10`,
  condition: sql`d.condition`,
  year: sql`d.year`,
  verified: sql`nullif(d.verified::integer, 0)`,
  near: sql`d.place`,
};

const facetColumns = sql.join(
  filterNames.map((facet) => sql`(${facetValues[facet]})::integer as ${sql.id(facet)}`),
);

/** For a facet in use, listings that fail only its own filter count too. */
function countFacets(filters: ActiveFilter[]): RawBuilder<unknown> {
  const others = filterNames.filter((facet) => filters.every(({ name }) => name !== facet));
  const inUse = filters.map(
    (
      { name },
      index,
    ) => sql`select ${sql.lit(name)} as facet, ${sql.id(name)} as value, count(*)::integer
      from d where bits in (0, ${sql.lit(2 ** index)}) group by value`,
  );
  const counts = [...(others.length > 0 ? [countInOnePass(others)] : []), ...inUse];
  return sql`select * from (${sql.join(counts, sql` union all `)}) as counted where value is not null`;
}

function countInOnePass(facets: FilterName[]): RawBuilder<unknown> {
  const columns = sql.join(facets.map((facet) => sql.id(facet)));
  // `grouping` sets the bits of all facets that a row doesn't count. The last facet is bit 0.
  const all = 2 ** facets.length - 1;
  const names = facets.map(
    (facet, index) =>
      sql`when ${sql.lit(all - 2 ** (facets.length - 1 - index))} then ${sql.lit(facet)}`,
  );
  const sets = sql.join(facets.map((facet) => sql`(${sql.id(facet)})`));
  return sql`select case grouping(${columns}) ${sql.join(names, sql` `)} end as facet,
    coalesce(${columns}) as value, count(*)::integer
    from d where bits = 0 group by grouping sets (${sets})`;
}
