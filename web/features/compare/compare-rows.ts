import type { Laptop } from "#contract/laptops.ts";
import { conditions } from "#contract/products.ts";

/** One laptop's values by row label, and its scores: the higher, the better. */
export type Column = { values: Map<string, string>; scores: Record<string, number | undefined> };

type Cell = { value: string | undefined; isBest: boolean };
export type CompareRow = { label: string; cells: Cell[]; isEqual: boolean };

/** Only rows with a value for at least one laptop. */
export function compareRows(labels: readonly string[], columns: Column[]): CompareRow[] {
  return labels.flatMap((label) => {
    const stated = new Set(columns.flatMap(({ values }) => values.get(label) ?? []));
    if (stated.size === 0) return [];
    const scores = columns.map((column) => column.scores[label]);
    const cells = columns.map(({ values }, index) => ({
      value: values.get(label),
      isBest: isBest(scores[index], scores),
    }));
    // A laptop that is gone has no values.
    const isStatedByAll = columns.every(({ values }) => values.size === 0 || values.has(label));
    return [{ label, cells, isEqual: columns.length > 1 && isStatedByAll && stated.size === 1 }];
  });
}

function isBest(score: number | undefined, scores: (number | undefined)[]): boolean {
  if (score === undefined) return false;
  const known = scores.filter((one) => one !== undefined);
  return known.every((one) => one <= score) && known.some((one) => one < score);
}

/** A row without scores marks no value as the best. */
export function scoresOf({ facts, ...laptop }: Laptop): Column["scores"] {
  const { ram_gb, storage_gb, battery_health, weight_grams, warranty_until } = facts;
  return {
    Price: -laptop.resale_price,
    Condition: -conditions.indexOf(laptop.condition),
    Memory: ram_gb,
    Storage: storage_gb,
    Battery: battery_health,
    Weight: weight_grams && -weight_grams,
    "Warranty until": warranty_until ? Date.parse(warranty_until) : undefined,
    "Purchase Year": laptop.yearOf_purchase,
    "Use Duration": -laptop.use_duration,
  };
}
