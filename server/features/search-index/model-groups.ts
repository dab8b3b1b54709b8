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

const highAndLow: Partial<Record<Processor, number>> = {
  celeron: 0,
  pentium: 0,
  atom: 0,
  athlon: 0,
  i3: 1,
  ryzen3: 1,
  core3: 1,
  corem: 1,
  i7: 3,
  ryzen7: 3,
  core7: 3,
  ultra7: 3,
  xeon: 3,
  i9: 4,
  ryzen9: 4,
  ultra9: 4,
};

/** The tier of processor families that `highAndLow` doesn't list. */
export const usualTier = 2;

/** The tier of a processor family in its maker's range, from 0 to 4. */
export function processorTier(processor: Processor): number {
  return highAndLow[processor] ?? usualTier;
}
