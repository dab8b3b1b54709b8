import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { lexeme } from "../search-index/listing-document.ts";
import { type Counted, countCodes } from "./count-codes.ts";

/** The columns of a listing that filters test and orders compare; what it does not say is 0. */
export type SampledListing = {
  codes: Buffer;
  category: number;
  ram: number;
  storage: number;
  processor: number;
  graphics: number;
  /** In tenths of an inch. */
  screen: number;
  battery: number;
  condition: number;
  year: number;
  verified: boolean;
  priceCents: number;
  place: number;
  quality: number;
  saving: number;
  /** In seconds since 1970. */
  postedAt: number;
};

/** Every sixteenth listing; `ends[size]` of them are every `size`-th. */
export type ListingSample = { listings: SampledListing[]; ends: Map<number, number> };

const sizes = [256, 128, 64, 32, 16] as const;
/** The sample that is kept, and that has an index of its own, `search_documents_sample_idx`. */
export const indexedSample = 16;
const maxAgeMs = 60_000;

type Kept = { sample: ListingSample | undefined; readAt: number; reading: boolean };
const keptBy = new WeakMap<Deps["db"], Kept>();

/**
 * What was read within the last minute or two, for estimates of searches without words; undefined before it is
 * first read. Reads it anew in the background, if `isLarge`.
 */
export function listingSample(deps: Deps): ListingSample | undefined {
  const kept = keptBy.get(deps.db);
  if (kept?.sample && deps.clock.now().getTime() - kept.readAt > maxAgeMs) refreshSample(deps);
  return kept?.sample;
}

/** For a shop that is large enough for estimates. */
export function refreshSample({ db, clock }: Deps): void {
  const kept = keptBy.get(db) ?? { sample: undefined, readAt: 0, reading: false };
  keptBy.set(db, kept);
  if (kept.reading || (kept.sample && clock.now().getTime() - kept.readAt <= maxAgeMs)) return;
  kept.reading = true;
  readSample(db)
    .then((sample) => {
      Object.assign(kept, { sample, readAt: clock.now().getTime() });
    })
    // The next search tries again; until then the old one is used.
    .catch(() => {})
    .finally(() => {
      kept.reading = false;
    });
}

const width = 38;

export async function readSample(tx: Tx): Promise<ListingSample> {
  const { rows } = await sql<{ size: number; packed: Buffer }>`
    select size, string_agg(codes || int2send(coalesce(screen, 0::smallint)) || int2send(coalesce(battery, 0::smallint))
      || int4send(price_cents) || int2send(quality) || int2send(saving) || float8send(extract(epoch from posted_at)::float8),
      ''::bytea) as packed
    from search_documents d, lateral (
      select max(size) as size from unnest(${[...sizes]}::integer[]) as size
      where ('x' || left(md5(product_id::text), 2))::bit(8)::integer % size = 0
    ) as of_size
    where listed and version <> 0 and tokens @@ ${sql.lit(lexeme(`=sample${indexedSample}`))}::tsquery
    group by size order by size desc`.execute(tx);
  const listings: SampledListing[] = [];
  const ends = new Map<number, number>();
  for (const size of sizes) {
    const packed = rows.find((row) => row.size === size)?.packed ?? Buffer.alloc(0);
    for (let at = 0; at < packed.length; at += width)
      listings.push(unpack(packed.subarray(at, at + width)));
    ends.set(size, listings.length);
  }
  return { listings, ends };
}

/** The first bytes are as in `count-codes.ts`. */
function unpack(row: Buffer): SampledListing {
  return {
    codes: row.subarray(0, 18),
    category: row.readInt16BE(0),
    ram: row.readInt16BE(2),
    storage: row.readInt16BE(4),
    processor: row.readUInt8(6),
    graphics: row.readUInt8(7),
    screen: row.readInt16BE(18),
    battery: row.readInt16BE(20),
    condition: row.readUInt8(10),
    year: row.readUInt8(11) + 1980,
    verified: row.readUInt8(12) === 1,
    priceCents: row.readInt32BE(22),
    place: row.readInt32BE(14),
    quality: row.readInt16BE(26),
    saving: row.readInt16BE(28),
    postedAt: row.readDoubleBE(30),
  };
}

type Tested = { passes?: ((one: SampledListing) => boolean) | undefined };

/** A bit for each filter that the listing fails. */
export function failedBy(filters: Tested[], listing: SampledListing): number {
  let failed = 0;
  for (const [index, { passes }] of filters.entries()) if (!passes?.(listing)) failed |= 2 ** index;
  return failed;
}

/** The counts of every `size`-th listing, as those of `countCodes`. */
export function countListings(
  { listings, ends }: ListingSample,
  { filters, size }: { filters: Tested[]; size: number },
): Counted[] {
  const groups: Buffer[][] = [[], ...filters.map(() => [])];
  for (const listing of listings.slice(0, ends.get(size))) {
    const failed = failedBy(filters, listing);
    if ((failed & (failed - 1)) === 0)
      groups[failed === 0 ? 0 : Math.log2(failed) + 1]?.push(listing.codes);
  }
  return countCodes(groups.map((group) => Buffer.concat(group)));
}
