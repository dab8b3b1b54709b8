import { type RawBuilder, sql } from "kysely";
import { mostRanked, type Order } from "./orders.ts";
import type { Asked } from "./search-statements.ts";

/** A listing of the page, with its town. */
export type Best = { product_id: string; place: number | null };

const bytes = { id: 16, place: 4, quality: 2, value: 8, rank: 8 };
const width = Object.values(bytes).reduce((sum, one) => sum + one, 0);

/**
 * The candidates for the page, of rows with `value`, what the order compares: packed, because the database takes
 * longer to read them a second time in order than the program to sort them.
 */
export function packedCandidates(asked: Asked): RawBuilder<unknown> {
  const { words } = asked;
  const rank =
    isRankedByWords(asked) && words
      ? sql`(ts_rank('{0.1, 0.3, 0.5, 1}', tokens, ${words.some}::tsquery) + quality / 4000.0)::float8`
      : sql`0`;
  return sql`string_agg(uuid_send(product_id) || int4send(coalesce(place, 0)) || int2send(quality) || float8send(value)
    || float8send(${rank}), ''::bytea) filter (where failed = 0 and value is not null)`;
}

export function isRankedByWords({ words, sort }: Pick<Asked, "words" | "sort">): boolean {
  return words !== undefined && sort === "relevance";
}

/** So many of the best are needed: for the words' rank all that are ranked, otherwise those up to the page's end. */
export function wantedOf(asked: Asked): number {
  const { offset, limit } = asked.page;
  return isRankedByWords(asked) ? mostRanked : Math.min(mostRanked, offset + limit);
}

export function countCandidates(packed: Buffer | null): number {
  return (packed?.length ?? 0) / width;
}

type Candidate = { value: number; quality: number; rank: number; at: number };

/** The page in the order asked for; by relevance the words count, too. */
export function pageOf(packed: Buffer | null, asked: Asked): Best[] {
  if (!packed) return [];
  const candidates = Array.from({ length: countCandidates(packed) }, (_, index) => {
    const at = index * width;
    const quality = packed.readInt16BE(at + 20);
    return { at, quality, value: packed.readDoubleBE(at + 22), rank: packed.readDoubleBE(at + 30) };
  });
  const inOrder = comparison(packed, asked.order);
  const best = candidates.sort(inOrder).slice(0, wantedOf(asked));
  if (isRankedByWords(asked))
    best.sort((one, other) => other.rank - one.rank || inOrder(one, other));
  const { offset, limit } = asked.page;
  return best.slice(offset, offset + limit).map(({ at }) => ({
    product_id: idAt(packed, at),
    place: packed.readInt32BE(at + bytes.id) || null,
  }));
}

function comparison(packed: Buffer, { down }: Order): (one: Candidate, other: Candidate) => number {
  return (one, other) =>
    (down ? other.value - one.value : one.value - other.value) ||
    other.quality - one.quality ||
    packed.compare(packed, one.at, one.at + bytes.id, other.at, other.at + bytes.id);
}

function idAt(packed: Buffer, at: number): string {
  return packed
    .toString("hex", at, at + bytes.id)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
