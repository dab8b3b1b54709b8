import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SearchSort } from "#contract/search.ts";
import { lexeme } from "../search-index/listing-document.ts";
import type { ActiveFilter } from "./active-filters.ts";
import { type Counted, countCodes } from "./count-codes.ts";
import { indexedSample, type ListingSample } from "./listing-sample.ts";
import type { Order } from "./orders.ts";
import type { SearchPlace } from "./search-near.ts";
import type { WordsQuery } from "./words-query.ts";

export type Search = {
  words: WordsQuery;
  filters: ActiveFilter[];
  sort: SearchSort;
  place: SearchPlace | undefined;
  /** Which of the best ones are wanted. */
  page: { offset: number; limit: number };
  /** For estimates, of a large shop. */
  listings?: ListingSample | undefined;
};

export type Asked = Search & { order: Order };

export function indexQueryOf({ words, filters }: Asked) {
  return { words: words?.every ?? [], filters };
}

/** What `foundBy` finds of a sample. */
export function inSample(queries: string[], size: number): RawBuilder<SqlBool> {
  const restricted = foundBy(
    size === indexedSample ? queries : [...queries, lexeme(`=sample${size}`)],
  );
  if (size < indexedSample) return restricted;
  const indexed = sql<SqlBool>`d.tokens @@ ${sql.lit(lexeme(`=sample${indexedSample}`))}::tsquery`;
  return sql<SqlBool>`${indexed} and ${restricted}`;
}

/**
 * The condition of the index `search_documents_tokens_idx`. Conditions of their own are a quarter of the index's time
 * of one `tsquery` with "&", which is evaluated as a whole for each listing (decision 0062).
 */
export function foundBy(queries: string[]): RawBuilder<SqlBool> {
  const conditions = queries.map((query) => sql<SqlBool>`d.tokens @@ ${query}::tsquery`);
  return sql<SqlBool>`${sql.join([sql`d.listed and d.version <> 0`, ...conditions], sql` and `)}`;
}

/** A bit for each filter that a document fails. */
export function failedBits(filters: ActiveFilter[]): RawBuilder<number> {
  if (filters.length === 0) return sql`0`;
  const bits = filters.map(
    ({ test }, index) => sql`case when ${test} then 0 else ${sql.lit(2 ** index)} end`,
  );
  return sql`(${sql.join(bits, sql` + `)})`;
}

export type Codes = Record<`codes${number}`, Buffer | null>;

/** The codes of what passes all filters, and for each filter of what fails only it. */
export function codesByFailed(filters: ActiveFilter[]): RawBuilder<unknown> {
  const failed = [0, ...filters.map((_, index) => 2 ** index)];
  const columns = failed.map(
    (bits, at) =>
      sql`string_agg(codes, ''::bytea) filter (where failed = ${sql.lit(bits)}) as ${sql.id(`codes${at}`)}`,
  );
  return sql.join(columns);
}

export function countGroups(codes: Codes | undefined, filters: ActiveFilter[]): Counted[] {
  const groups = [undefined, ...filters].map((_, at) => codes?.[`codes${at}`] ?? Buffer.alloc(0));
  return countCodes(groups);
}

/** `value` is null for what cannot be on the page. */
export function documents(
  { filters, order }: Asked,
  { queries, condition }: Documents,
): RawBuilder<unknown> {
  return sql`
    select d.codes, d.product_id, d.place, d.quality, d.tokens, ${failedBits(filters)} as failed,
      case when ${condition ?? sql`true`} then (${order.value})::float8 end as value
    from search_documents d ${order.join ?? sql``} where ${foundBy(queries)}`;
}

type Documents = { queries: string[]; condition: RawBuilder<SqlBool> | undefined };

export function direction({ down }: Order): RawBuilder<unknown> {
  return sql.raw(down ? "desc" : "asc");
}
