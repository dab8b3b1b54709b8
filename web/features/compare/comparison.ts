import { useEffect } from "react";
import { useNavigate } from "react-router";
import type { Laptop } from "#contract/laptop-page.ts";
import { conditions } from "#contract/products.ts";
import { paths } from "#web/paths.ts";

/** The maximum number of laptops that fit side by side. */
const maxCompared = 4;

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the ids from the URL: `ids=a,b`, or `ids=a&ids=b` from a form. */
export function comparedIds(query: URLSearchParams): { ids: string[]; leftOut: number } {
  const given = query.getAll("ids").flatMap((value) => value.toLowerCase().split(","));
  const all = [...new Set(given.filter((id) => idPattern.test(id)))];
  const ids = all.slice(0, maxCompared);
  return { ids, leftOut: all.length - ids.length };
}

export function comparePath(ids: string[]): string {
  return ids.length === 0 ? paths.compare() : `${paths.compare()}?ids=${ids.join(",")}`;
}

/** Stores the comparison in this tab. If `isAdded`, first adds `ids` to the stored comparison. */
export function useRememberedComparison(ids: string[], isAdded: boolean): void {
  const list = ids.join(",");
  const navigate = useNavigate();
  useEffect(() => {
    const chosen = list === "" ? [] : list.split(",");
    const all = isAdded ? addedToLast(chosen) : chosen;
    rememberCompared(all);
    if (isAdded) void navigate(comparePath(all), { replace: true });
  }, [list, isAdded, navigate]);
}

function addedToLast(ids: string[]): string[] {
  const others = lastCompared().filter((id) => !ids.includes(id));
  return [...others, ...ids].slice(-maxCompared);
}

const key = "compared";

function lastCompared(): string[] {
  try {
    return comparedIds(new URLSearchParams({ ids: sessionStorage.getItem(key) ?? "" })).ids;
  } catch {
    return [];
  }
}

function rememberCompared(ids: string[]): void {
  try {
    if (ids.length > 0) sessionStorage.setItem(key, ids.join(","));
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage, each comparison starts over.
  }
}

/** One laptop's values by row label, and its scores: the higher, the better. */
export type Column = { values: Map<string, string>; scores: Record<string, number | undefined> };

type Cell = { value: string | undefined; isBest: boolean };
export type CompareRow = { label: string; cells: Cell[]; isEqual: boolean };

/** Omits rows in which no laptop has a value. */
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

/** A laptop's scores by row label. Rows without scores have no best value. */
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
