import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type FilterName,
  filterNames,
  type SearchSort,
  searchPriceBands,
} from "#contract/search.ts";
import type { Tx } from "../../db/database.ts";
import { type ActiveFilter, anyWord, type WordsQuery } from "./conditions.ts";
import type { SearchPlace } from "./near.ts";

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
  /** Conditions that every listing must meet to be read. */
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
  const { rows } = await sql<{ [Name in keyof Matches]: Matches[Name] | null }>`
    with d as materialized (
      select ${sortColumns(search, byWords)}, ${failedBits(filters)} as bits, ${isAfter} as is_after, ${facetColumns}
      from search_documents d ${order.join ?? sql``} where ${sql.join(conditions, sql` and `)}
    )
    select
      (select json_agg(one) from (select bits, count(*)::integer from d group by bits) as one) as failures,
      (select json_agg(one) from (${countFacets(filters)}) as one) as counts,
      (select json_agg(one) from (
        select * from (select product_id, place, key, quality, rank, sorted from d where bits = 0 and is_after) as d
        ${sortedPage(order, page)}) as one) as best`.execute(tx);
  const { failures, counts, best } = rows[0] ?? {};
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

/** A position in an order: the sort key, then the quality. */
export type Mark = { key: number; quality: number };

/** After the mark `after`, up to and including the mark `until`. */
export type Range = { after?: Mark | undefined; until?: Mark | undefined };

/** Sorts rows `d` of `search_documents` by `column`, then quality. An index can answer `range`. */
type Order = {
  column: RawBuilder<unknown>;
  down: boolean;
  /** `column` as an integer, for marks. */
  key: RawBuilder<unknown>;
  join?: RawBuilder<unknown>;
  range(ends: Range): RawBuilder<SqlBool>;
};

const orders: Record<Exclude<SearchSort, "distance">, Order> = {
  relevance: byColumn(sql`d.quality`, { down: true }),
  price: byColumn(sql`d.price_cents`, { down: false }),
  "-price": byColumn(sql`d.price_cents`, { down: true }),
  newest: {
    ...byColumn(sql`d.posted_at`, {
      down: true,
      keyed: (key) => sql`to_timestamp(${key}::bigint)`,
    }),
    key: sql`floor(extract(epoch from d.posted_at))::bigint`,
  },
  saving: byColumn(sql`d.saving`, { down: true }),
};

type Direction = { down: boolean; keyed?: (key: number) => RawBuilder<unknown> };

/** Sorts by the column in either direction, then by quality, like the indexes in 14-search.sql. */
function byColumn(
  column: RawBuilder<unknown>,
  { down, keyed = (key) => sql`${key}::bigint` }: Direction,
): Order {
  const sign = sql.raw(down ? "" : "-");
  const position = sql`(${column}, ${sign}d.quality)`;
  const at = ({ key, quality }: Mark) => sql`(${keyed(key)}, ${sign}${quality}::smallint)`;
  const [upTo, behind] = (down ? [">=", "<"] : ["<=", ">"]).map((one) => sql.raw(one));
  return {
    column,
    down,
    key: sql`${column}::bigint`,
    range: ({ after, until }) =>
      sql.join(
        [
          sql<SqlBool>`true`,
          ...(until ? [sql<SqlBool>`${position} ${upTo} ${at(until)}`] : []),
          ...(after ? [sql<SqlBool>`${position} ${behind} ${at(after)}`] : []),
        ],
        sql` and `,
      ),
  };
}

/** Only sorting by distance needs a place. */
export function orderOf(sort: SearchSort, place: SearchPlace | undefined): Order {
  return sort === "distance" ? byDistance(place) : orders[sort];
}

/** The key is a town's rank by distance. */
function byDistance(place: SearchPlace | undefined): Order {
  const ids = place?.nearby.map(({ id }) => id) ?? [];
  const column = sql`town.position`;
  return {
    column,
    down: false,
    key: column,
    join: sql`left join unnest(${ids}::integer[]) with ordinality as town (id, position) on town.id = d.place`,
    range({ after, until = { key: ids.length, quality: 0 } }) {
      const last = until.key - 1;
      const inner = ids.slice(after ? after.key - 1 : 0, last);
      const isBefore = sql<SqlBool>`(d.place = any(${inner}::integer[])
        or d.place = any(${ids.slice(last, until.key)}::integer[]) and d.quality >= ${until.quality}::smallint)`;
      return after
        ? sql`${isBefore} and (town.position > ${after.key}::bigint or d.quality < ${after.quality}::smallint)`
        : isBefore;
    },
  };
}
