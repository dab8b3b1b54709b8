import { parseQuery } from "../../server/features/search/parse-query.ts";
import type { Slots } from "./queries.ts";

/** Common sizes. A list of more than three sizes, as for "at least 16 GB", is reduced to these. */
const common: Record<string, number[]> = {
  ram: [4, 8, 16, 32, 64],
  storage: [128, 256, 512, 1024, 2048],
};

function isSame(name: string, found: unknown, labelled: unknown): boolean {
  return JSON.stringify(comparable(name, found)) === JSON.stringify(comparable(name, labelled));
}

function comparable(name: string, value: unknown): unknown {
  if (name === "near" && typeof value === "string")
    return value.toLowerCase().replaceAll(",", "").trim();
  const sizes = common[name];
  return Array.isArray(value) && value.length > 3 && sizes
    ? value.filter((size) => sizes.includes(size))
    : value;
}

export type Labelled = { text: string; slots: Slots };

type Difference = { text: string; wrong: Slots; missed: Slots };

/** `f1` is over all filters. `wrong` is the share of queries that got a wrong filter. */
export function slotFigures(queries: Labelled[]) {
  let [right, wrong, missed, withWrong] = [0, 0, 0, 0];
  const differences: Difference[] = [];
  for (const { text, slots } of queries) {
    const found: Slots = parseQuery(text).filters;
    const wrongOnes = Object.entries(found).filter(
      ([name, value]) => !isSame(name, value, slots[name]),
    );
    const missedOnes = Object.entries(slots).filter(
      ([name, value]) => !isSame(name, found[name], value),
    );
    right += Object.keys(found).length - wrongOnes.length;
    wrong += wrongOnes.length;
    missed += missedOnes.length;
    if (wrongOnes.length > 0) withWrong += 1;
    if (wrongOnes.length + missedOnes.length > 0)
      differences.push({
        text,
        wrong: Object.fromEntries(wrongOnes),
        missed: Object.fromEntries(missedOnes),
      });
  }
  const f1 = (2 * right) / (2 * right + wrong + missed);
  return { queries: queries.length, f1, wrong: withWrong / queries.length, differences };
}
