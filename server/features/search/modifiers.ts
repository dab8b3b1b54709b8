import { ramSizes } from "#contract/facts.ts";
import type { Condition } from "#contract/products.ts";
import type { Span } from "../search-index/find-spans.ts";
import {
  type Property,
  type Rule,
  rule,
  screenSizes,
  storageClass,
  storageSizes,
} from "../search-index/property-rules.ts";

/** Criteria that only buyers write. Prices in dollars. */
export type BuyerCriterion =
  | { kind: "price"; min?: number; max?: number }
  /** `compared`: "older than 2020", which "not" turns into "2020 or newer". */
  | { kind: "year"; from?: number; to?: number; compared?: true }
  | { kind: "condition"; among: Condition[] }
  | { kind: "verified" }
  /** `maybe`: "in" or "around", which counts only before certain towns (near.ts). */
  | { kind: "near"; km?: number; maybe?: true }
  | { kind: "place"; name: string; km?: number }
  | Modifier;

/** Words that change the property beside them: "at least", "or more", "not". */
type Modifier =
  | { kind: "bound"; side: Side }
  | { kind: "boundBefore"; side: Side }
  | { kind: "not" }
  /** Words such as "is too slow", after the property that they negate. */
  | { kind: "notBefore" }
  /** The first alternatives: "4, 8 or" in "4, 8 or 16 GB". */
  | { kind: "alternative"; numbers: number[] }
  | { kind: "sizes"; of: Sized; among: number[] };

type Side = "least" | "over" | "most" | "under";
type Sized = "ram" | "storage" | "screen";

export type Read = Span<Property | BuyerCriterion>;
type ReadSpan = Exclude<Read, { word: string }>;

const bounds: Record<Side, RegExp> = {
  least: /(?:at least|min(?:imum)?(?: of)?|no(?:t|thing)? (?:less|smaller) than|>=)/,
  over: /(?:over|above|(?:more|bigger|larger|greater)(?:\s+(?:ram|memory|storage|space|screen))? than|>)/,
  most: /(?:at most|up to|maximum(?: of)?|no(?:t|thing)? (?:more|bigger|larger) than|<=)/,
  under: /(?:under|below|(?:less|smaller)(?:\s+(?:ram|memory|storage|space|screen))? than|<)/,
};

const what = "(?:\\s+(?:of\\s+)?(?:ram|memory|ssd|storage|space|disk|drive|screen))?";

export const modifierRules: Rule<Modifier>[] = [
  ...Object.entries(bounds).map(([side, pattern]) =>
    rule<Modifier>(pattern, () => [{ kind: "bound", side: side as Side }]),
  ),
  rule(
    `(?:(?:or|and) (?:more|bigger|larger|better|above|higher|up|upwards)|upwards?)\\b${what}`,
    () => [{ kind: "boundBefore", side: "least" }],
  ),
  rule(`(?:or|and) (?:less|smaller|below|under)\\b${what}`, () => [
    { kind: "boundBefore", side: "most" },
  ]),
  rule(
    /(?:but )?(?:not|no|nothing|without|except(?: for)?|excluding|other than|apart from|anything but|(?:do|does|is|wo|ca|would)n'?t|cannot)\b/,
    () => [{ kind: "not" }],
  ),
  // "Faster than an i3" doesn't ask for an i3, and "upgradable to 64 GB" means less memory.
  rule(
    /(?:(?:faster|stronger|more powerful|better|newer|older|slower|weaker|worse) than|(?:(?:can|could|to) (?:be )?(?:upgrade|expande?|extende?)d?|(?:upgrad|expand|extend)e?[ai]ble|upgrade)(?:\s+up)?\s+to|room for|instead of|rather than|hates?|avoid|exclude|never|no more)\b/,
    () => [{ kind: "not" }],
  ),
  rule(
    /(?:is|are|was|were)\s+(?:(?:far|way|much|just)\s+)*(?:too\s+[a-z]+|not\s+(?:enough|sufficient|an option))\b/,
    () => [{ kind: "notBefore" }],
  ),
  rule(
    /(\d{1,4}(?:\.\d)?(?:\s*,\s*\d{1,4}(?:\.\d)?)*)\s*,?\s*(?:or|\/)\s*(?=\d{1,4}(?:\.\d)?[ -]?(?:gb|gigs?|tb|inch|in\b|"))/,
    ([list = ""]) => [{ kind: "alternative", numbers: list.split(",").map(Number) }],
  ),
];

const sizesOf: Record<Sized, number[]> = {
  ram: ramSizes,
  storage: storageSizes,
  screen: screenSizes,
};

const isWithin: Record<Side, (size: number, bound: number) => boolean> = {
  least: (size, bound) => size >= bound,
  over: (size, bound) => size > bound,
  most: (size, bound) => size <= bound,
  under: (size, bound) => size < bound,
};

/** Applies bounds, alternatives and negations to the properties beside them. */
export function applyModifiers(spans: Read[], text: string): Read[] {
  const merged = joinAlternatives(bounded(spans, text), text);
  return withoutNegated(merged, text).filter(
    (span) => "word" in span || !span.read.some(({ kind }) => kind.startsWith("bound")),
  );
}

function modifierOf(span: Read | undefined) {
  return span && !("word" in span) ? span.read[0] : undefined;
}

/** Applies bounds to sizes: "at least" before a size, "or more", "minimum" or "+" after it. */
function bounded(spans: Read[], text: string): Read[] {
  const result: Read[] = [];
  for (const [index, span] of spans.entries()) {
    const before = modifierOf(result.at(-1));
    const sideBefore = before?.kind === "bound" ? before.side : undefined;
    const sideAfter = sideBefore ? undefined : boundAfter(spans, index, text);
    const side = sideBefore ?? sideAfter ?? (hasPlus(span, text) ? "least" : undefined);
    const sizes = side && sizesWithin(span, side);
    if (sizes) {
      const start = sideBefore ? (result.pop()?.start ?? span.start) : span.start;
      const end = sideAfter ? (spans[index + 1]?.end ?? span.end) : span.end;
      result.push({ start, end, read: [sizes] });
    } else result.push(span);
  }
  return result;
}

function boundAfter(spans: Read[], index: number, text: string): Side | undefined {
  const span = spans[index + 1];
  const after = modifierOf(span);
  if (after?.kind === "boundBefore") return after.side;
  if (!span || after?.kind !== "bound" || sizeOf(modifierOf(spans[index + 2]))) return undefined;
  const isAfter = /^(?:min(?:imum)?|at least|at most)$/.test(text.slice(span.start, span.end));
  return isAfter ? after.side : undefined;
}

function hasPlus({ end }: Read, text: string): boolean {
  return /^\s*\+(?!\s*\d)/.test(text.slice(end));
}

function sizesWithin(span: Read, side: Side): Modifier | undefined {
  if ("word" in span || span.read.length > 1) return undefined;
  const size = sizeOf(span.read[0]);
  const among = size && sizesOf[size.of].filter((one) => isWithin[side](one, size.number));
  return size && among?.length ? { kind: "sizes", of: size.of, among } : undefined;
}

function sizeOf(
  read: Property | BuyerCriterion | undefined,
): { of: Sized; number: number } | undefined {
  if (read?.kind === "ram" || read?.kind === "storage") return { of: read.kind, number: read.gb };
  return read?.kind === "screen" ? { of: read.kind, number: read.inches } : undefined;
}

/** Joins alternatives such as "i5 or i7" into one filter with two values. */
function joinAlternatives(spans: Read[], text: string): Read[] {
  const result: Read[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    const hasOr = last && "word" in last && /^(?:or|and|vs|versus)$/.test(last.word);
    const one = hasOr ? result.at(-2) : last;
    const isJoined = hasOr || text.slice(one?.end, span.start).trim() === "/";
    const read = one && alternatives(one, span, isJoined);
    if (read) result.splice(hasOr ? -2 : -1, 2, { start: one.start, end: span.end, read });
    else result.push(span);
  }
  return result;
}

const joinable = new Set<string>(["ram", "storage", "screen", "processor", "graphics"]);

function alternatives(one: Read, other: Read, isJoined: boolean): ReadSpan["read"] | undefined {
  if ("word" in one || "word" in other) return undefined;
  const [first, second] = [one.read.at(-1), other.read[0]];
  const size = sizeOf(second);
  if (first?.kind === "alternative")
    return (
      size && [
        {
          kind: "sizes",
          of: size.of,
          among: [...first.numbers.flatMap((one) => sameUnit(one, size)), size.number],
        },
      ]
    );
  const isSame = first && second && first.kind === second.kind && joinable.has(first.kind);
  return isJoined && isSame ? [...one.read, ...other.read] : undefined;
}

/**
 * Reads a number in the unit of the size after it: "1 or 2 TB". For drives, up to 8 always means
 * terabytes. Only screens have fractions.
 */
function sameUnit(number: number, { of }: { of: Sized }): number[] {
  const terabytes = of === "storage" && number <= 8;
  const size = terabytes
    ? 1024 * number
    : of === "storage"
      ? (storageClass(number) ?? number)
      : number;
  return of === "screen" || Number.isInteger(size) ? [size] : [];
}

/** Words allowed between a negation and its property. */
const fillers = new Set(
  "a an the any have has had to be been need needs want wants looking for in from on with of at go going pay spend cost is really necessarily too even anything something laptop laptops one ones interested care".split(
    " ",
  ),
);

/**
 * Replaces negated properties with their opposites. Drops negated words, and properties that have
 * no opposite.
 */
function withoutNegated(spans: Read[], text: string): Read[] {
  const result: Read[] = [];
  for (let index = 0; index < spans.length; index += 1) {
    const span = spans[index] as Read;
    if (modifierOf(span)?.kind === "notBefore") result.pop();
    else if (modifierOf(span)?.kind !== "not") result.push(span);
    else {
      const to = negatedBy(spans, index, text);
      const negated = spans[to];
      if (negated && !("word" in negated))
        result.push({ ...negated, start: span.start, read: negated.read.flatMap(opposite) });
      index = Math.max(index, to);
    }
  }
  return result;
}

/** Returns the index of the negated span, or -1 if there is none or punctuation comes first. */
function negatedBy(spans: Read[], from: number, text: string): number {
  const to = spans.findIndex(
    (span, index) => index > from && !("word" in span && fillers.has(span.word)),
  );
  const span = spans[to];
  const isOne = span && !/[,.;:!?]\s/.test(text.slice(spans[from]?.end, span.start));
  return isOne ? to : -1;
}

/** Returns the opposite: "not over $500" is "up to $500". Most criteria have no opposite. */
function opposite(read: Property | BuyerCriterion): BuyerCriterion[] {
  if (read.kind === "price" && read.min === undefined && read.max !== undefined)
    return [{ kind: "price", min: read.max }];
  if (read.kind === "price" && read.max === undefined && read.min !== undefined)
    return [{ kind: "price", max: read.min }];
  if (read.kind === "year" && read.compared)
    return [
      read.to === undefined
        ? { kind: "year", to: Number(read.from) - 1 }
        : { kind: "year", from: read.to + 1 },
    ];
  return [];
}
