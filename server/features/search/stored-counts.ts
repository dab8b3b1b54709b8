import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { type Counted, firstYear, storedFacets } from "./count-codes.ts";

/** So many deltas are read with a search; more are there for seconds after an import or a migration. */
const mostDeltas = 5_000;

type Row = { value: number; passed: string | null; others: string | null; deltas: number };

/**
 * The exact counts of a search without words and with one filter or none, towns left out. `keys` are the values of
 * the filter; undefined if too many deltas wait for `foldSearchCounts`.
 */
export async function storedCounts(
  tx: Tx,
  keys: number[] | undefined,
): Promise<Counted[] | undefined> {
  const chosen = keys ?? [0];
  const facet = (chosen[0] ?? 0) >> 16;
  const { rows } = await sql<Row>`
    with deltas as materialized (
      select 0 || search_count_keys(codes) as keys, listings
      from search_count_deltas limit ${sql.lit(mostDeltas + 1)}
    ), counted as (
      select chosen, value, listings from search_counts
      where chosen = any(${chosen}::integer[]) or chosen = 0 and (value = 0 or value >> 16 = ${facet}::integer)
      union all
      select chosen, value, listings from deltas, unnest(keys) as chosen, unnest(keys) as value
      where (chosen = any(${chosen}::integer[]) or chosen = 0 and (value = 0 or value >> 16 = ${facet}::integer))
        and (chosen = 0 or chosen >> 16 <> value >> 16)
    )
    select value, sum(listings) filter (where chosen = any(${chosen}::integer[])) as passed,
      sum(listings) filter (where chosen = 0) as others, (select count(*)::integer from deltas) as deltas
    from counted group by value`.execute(tx);
  if ((rows[0]?.deltas ?? 0) > mostDeltas) return undefined;
  return rows.map((row) => toCounted(row, keys));
}

/** Of the facet in use, values that are not chosen fail the filter, as does what is left of all listings. */
function toCounted({ value: key, passed, others }: Row, keys: number[] | undefined): Counted {
  const facet = storedFacets[(key >> 16) - 1] ?? "all";
  const value = (key & 0xffff) + (facet === "year" ? firstYear : 0);
  const named: Pick<Counted, "facet" | "value"> = { facet, value };
  if (!keys) return { ...named, passed: Number(others), failed: [] };
  if (key === 0) {
    const count = Number(passed ?? 0);
    return { ...named, passed: count, failed: [Number(others ?? 0) - count] };
  }
  if (key >> 16 !== (keys[0] ?? 0) >> 16) return { ...named, passed: Number(passed), failed: [0] };
  const count = Number(others);
  return keys.includes(key)
    ? { ...named, passed: count, failed: [0] }
    : { ...named, passed: 0, failed: [count] };
}

const batchSize = 5_000;

/** Job `foldSearchCounts`, every minute: adds what changed since to the stored counts (decision 0062). */
export async function foldSearchCounts({ db }: Pick<Deps, "db">): Promise<void> {
  for (let folded = batchSize; folded === batchSize; ) {
    folded = await transact(db, "foldSearchCounts", async (tx) => {
      const { rows } = await sql<{ folded: number }>`
        select fold_search_counts(${batchSize})::integer as folded`.execute(tx);
      return rows[0]?.folded ?? 0;
    });
  }
}
