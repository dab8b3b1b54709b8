import type { FilterName } from "#contract/search.ts";

/** For a value of a facet the documents that pass all filters, and for each filter those that fail only it. */
export type Counted = {
  facet: FilterName | "all";
  value: number;
  passed: number;
  failed: number[];
};

/** Where the values are in `codes`: the first byte and how many bytes. */
const layout = [
  ["category", 0, 2],
  ["ram", 2, 2],
  ["storage", 4, 2],
  ["cpu", 6, 1],
  ["gpu", 7, 1],
  ["screen", 8, 1],
  ["battery", 9, 1],
  ["condition", 10, 1],
  ["year", 11, 1],
  ["verified", 12, 1],
  ["price", 13, 1],
  ["near", 14, 4],
] as const;

const width = 18;
/** Years are stored from here on. */
export const firstYear = 1980;

/** The facets whose counts are stored (`stored-counts.ts`): all but the towns, of which there are thousands. */
export const storedFacets = layout.map(([facet]) => facet).filter((facet) => facet !== "near");

/** A value as it stands in the codes, as `search_count_keys` numbers it. */
export function countKey(facet: (typeof storedFacets)[number], value: number): number {
  return ((storedFacets.indexOf(facet) + 1) << 16) + value;
}

/**
 * All facets of one scan: the database concatenates the codes of the rows, and they are counted here, which takes a
 * tenth of the time of grouping them there. The first codes are of the documents that pass all filters, the others
 * of those that fail only one: choosing another value of a facet in use keeps the other filters.
 */
export function countCodes(codes: Buffer[]): Counted[] {
  const counts = new Map<string, Counted>();
  for (const [index, group] of codes.entries()) {
    const add = (facet: Counted["facet"], value: number, count: number) => {
      const key = `${facet} ${value}`;
      const failed = Array.from({ length: codes.length - 1 }, () => 0);
      const known = counts.get(key) ?? { facet, value, passed: 0, failed };
      if (index === 0) known.passed = count;
      else known.failed[index - 1] = count;
      counts.set(key, known);
    };
    add("all", 0, group.length / width);
    for (const [facet, offset, bytes] of layout)
      for (const [value, count] of countValues(group, { offset, bytes }))
        if (value !== 0) add(facet, facet === "year" ? value + firstYear : value, count);
  }
  return [...counts.values()];
}

/** Counts of values of up to two bytes; all are 0 between two calls. */
const found = new Uint32Array(65_536);

/** How often each value stands at one place of the codes. */
function countValues(
  codes: Buffer,
  { offset, bytes }: { offset: number; bytes: 1 | 2 | 4 },
): Map<number, number> {
  const counts = new Map<number, number>();
  if (bytes === 4) {
    for (let at = offset; at < codes.length; at += width) {
      const value = codes.readInt32BE(at);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  }
  const values: number[] = [];
  for (let at = offset; at < codes.length; at += width) {
    const last = codes[at + bytes - 1] as number;
    const value = bytes === 1 ? last : (codes[at] as number) * 256 + last;
    if (found[value] === 0) values.push(value);
    found[value] = (found[value] as number) + 1;
  }
  for (const value of values.sort((a, b) => a - b)) {
    counts.set(value, found[value] as number);
    found[value] = 0;
  }
  return counts;
}
