import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SearchSort } from "#contract/search.ts";
import { lexeme } from "../search-index/listing-document.ts";
import type { ActiveFilter } from "./active-filters.ts";
import { type Counted, countCodes } from "./count-codes.ts";
import { indexedSample, type ListingSample } from "./listing-sample.ts";
import type { Order } from "./orders.ts";
import type { SearchPlace } from "./search-near.ts";
import { restrictedTo, type WordsQuery } from "./words-query.ts";

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
  return { words: words?.every, filters };
}

/** What `foundBy` finds of a sample. */
export function inSample(query: string | undefined, size: number): RawBuilder<SqlBool> {
  if (size < indexedSample) return foundBy(restrictedTo(query, [`=sample${size}`]));
  const indexed = sql<SqlBool>`d.tokens @@ ${sql.lit(lexeme(`=sample${indexedSample}`))}::tsquery`;
  const rest = size === indexedSample ? query : restrictedTo(query, [`=sample${size}`]);
  return sql<SqlBool>`${indexed} and ${foundBy(rest)}`;
}

/** The condition of the index `search_documents_tokens_idx`. */
export function foundBy(query: string | undefined): RawBuilder<SqlBool> {
  const listed = sql<SqlBool>`d.listed and d.version <> 0`;
  return query === undefined ? listed : sql<SqlBool>`${listed} and d.tokens @@ ${query}::tsquery`;
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

export function codesColumns(filters: ActiveFilter[]): RawBuilder<unknown> {
  return sql.join([0, ...filters].map((_, at) => sql.id(`codes${at}`)));
}

export function countGroups(codes: Codes | undefined, filters: ActiveFilter[]): Counted[] {
  const groups = [undefined, ...filters].map((_, at) => codes?.[`codes${at}`] ?? Buffer.alloc(0));
  return countCodes(groups);
}

export function documents(
  { filters, order }: Asked,
  { query, condition }: Documents,
): RawBuilder<unknown> {
  const join = condition ? (order.join ?? sql``) : sql``;
  return sql`
    select d.ctid as tid, d.codes, ${failedBits(filters)} as failed, ${condition ?? sql`true`} as is_best
    from search_documents d ${join} where ${foundBy(query)}`;
}

type Documents = { query: string | undefined; condition: RawBuilder<SqlBool> | undefined };

export function direction({ down }: Order): RawBuilder<unknown> {
  return sql.raw(down ? "desc" : "asc");
}
