import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SearchSort } from "#contract/search.ts";
import type { SearchPlace } from "./near.ts";

/** A position in an order: the sort key, then the quality. */
export type Mark = { key: number; quality: number };

/** After the mark `after`, up to and including the mark `until`. */
export type Range = { after?: Mark | undefined; until?: Mark | undefined };

/** Sorts rows `d` of `search_documents` by `column`, then quality. An index can answer `range`. */
export type Order = {
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
