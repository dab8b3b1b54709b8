import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Counted } from "./count-codes.ts";
import { queryOfMost, type Sampled } from "./index-query.ts";
import { countListings, failedBy, indexedSample, type ListingSample } from "./listing-sample.ts";
import { smallestSample } from "./orders.ts";
import {
  type Asked,
  type Codes,
  codesByFailed,
  countGroups,
  failedBits,
  indexQueryOf,
  inSample,
} from "./search-statements.ts";

/** Of more matches than are counted one by one a sample is counted, for which at most so many rows are read. */
const sampleSize = 4_000;

/** The smallest sample of the documents that have the words. */
export async function probe(tx: Tx, { words, filters, order }: Asked): Promise<Sampled[]> {
  const { rows } = await sql<{ sample: Buffer | null }>`
    select string_agg(int4send(failed) || int4send(key) || int4send(quality) || int4send(place) || float8send(value),
      ''::bytea) as sample
    from (
      select ${failedBits(filters)} as failed, coalesce(${order.bucket}::integer, 0) as key, d.quality::integer / 16 as quality,
        coalesce(d.place, 0) as place, coalesce((${order.value})::float8, 0) as value
      from search_documents d ${order.join ?? sql``} where ${inSample(words?.every ?? [], smallestSample)} offset 0
    ) as sample`.execute(tx);
  const packed = rows[0]?.sample ?? Buffer.alloc(0);
  return Array.from({ length: packed.length / 24 }, (_, at) => ({
    failed: packed.readInt32BE(at * 24),
    key: packed.readInt32BE(at * 24 + 4),
    quality: packed.readInt32BE(at * 24 + 8),
    place: packed.readInt32BE(at * 24 + 12),
    value: packed.readDoubleBE(at * 24 + 16),
  }));
}

/** The same of the listings in memory. */
export function probeListings(
  { listings, ends }: ListingSample,
  { filters, order }: Asked,
): Sampled[] {
  return listings.slice(0, ends.get(smallestSample)).map((one) => ({
    ...{ failed: failedBy(filters, one), quality: one.quality >> 4, place: one.place },
    ...order.of(one),
  }));
}

/** Counts a part of the documents, always the same one, of some thousands. */
export async function countSample(tx: Tx, asked: Asked, sample: Sampled[]): Promise<Counted[]> {
  const each = smallestSample / indexedSample;
  const { queries, found } = queryOfMost(indexQueryOf(asked), { sample, each });
  const power = Math.ceil(Math.log2((found * indexedSample) / sampleSize));
  const size = 2 ** Math.min(8, Math.max(1, power));
  const { listings, filters } = asked;
  if (listings && size >= indexedSample)
    return scaled(countListings(listings, { filters, size }), size);
  const { rows } = await sql<Codes>`
    select ${codesByFailed(asked.filters)} from (
      select d.codes, ${failedBits(asked.filters)} as failed
      from search_documents d where ${inSample(queries, size)} offset 0
    ) as base`.execute(tx);
  return scaled(countGroups(rows[0], asked.filters), size);
}

function scaled(counts: Counted[], size: number): Counted[] {
  return counts.map((one) => ({
    ...one,
    passed: one.passed * size,
    failed: one.failed.map((count) => count * size),
  }));
}
