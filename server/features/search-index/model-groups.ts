import { foldText } from "#contract/text.ts";
import { modelLines, type Processor, stopWords } from "./dictionary.ts";
import { findSpans } from "./find-spans.ts";
import { propertyRules } from "./property-rules.ts";

/** Groups of similar laptops, from widest to narrowest. Each name starts with the brand. */
type ModelGroups = { brand: string; line: string; model: string };

type Named = { name: string; brand: string; modelLine?: string | null | undefined };

export function modelGroups({ name, brand, modelLine }: Named): ModelGroups {
  const text = foldText(modelLine ?? name).split(/[,(;|–]/)[0] ?? "";
  const words: string[] = [];
  for (const span of findSpans(text, propertyRules)) {
    if ("word" in span && span.word !== brand && !stopWords.has(span.word)) words.push(span.word);
    const generation = "read" in span && span.read.find(({ kind }) => kind === "generation");
    if (generation && "number" in generation) words.push(`gen${generation.number}`);
  }
  const line = lineOf(words);
  return { brand, line: `${brand} ${line}`, model: `${brand} ${words.slice(0, 4).join(" ")}` };
}

/** Finds the model line: an X1 Carbon is a ThinkPad, whether or not the name says so. */
function lineOf(words: string[]): string {
  const known = words.find((word) => word in modelLines);
  return known ?? modelLines[words.slice(0, 2).join(" ")]?.also ?? words[0] ?? "";
}

/** The processor families of each tier in their makers' ranges, except those of the usual tier. */
const tiers: Processor[][] = [
  ["celeron", "pentium", "atom", "athlon"],
  ["i3", "ryzen3", "core3", "corem"],
  [],
  ["i7", "ryzen7", "core7", "ultra7", "xeon"],
  ["i9", "ryzen9", "ultra9"],
];

export const usualTier = 2;

/** Returns the tier of a processor family, from 0 to 4. */
export function processorTier(processor: Processor): number {
  const tier = tiers.findIndex((families) => families.includes(processor));
  return tier === -1 ? usualTier : tier;
}
