import type { SearchQuery } from "#contract/search.ts";
import { foldText } from "#contract/text.ts";
import { modelLines, purposes, stopWords } from "../search-index/dictionary.ts";
import { findSpans, isKnownWord, wordTokens } from "../search-index/find-spans.ts";
import { type Property, propertyRules } from "../search-index/property-rules.ts";
import { applyModifiers, type BuyerCriterion, type Read } from "./modifiers.ts";
import { withPlaces } from "./near.ts";
import { buyerRules, normalizeQuery } from "./query-grammar.ts";

/** Sizes in GB and inches, prices in dollars, `battery` in percent, `within` in kilometers. */
export type Filters = Pick<
  SearchQuery,
  | ("ram" | "storage" | "cpu" | "gpu" | "screen" | "battery" | "condition" | "verified")
  | ("minPrice" | "maxPrice" | "near" | "within")
> & { year?: { from?: number | undefined; to?: number | undefined } | undefined };

/** `rest`: the query without the understood part. */
type Understood = { filters: Filters; rest: string };

/** `parts`: "x" and "360" in "x-360". `isPrefix`: may be unfinished. `isKnown`: never a typo. */
export type QueryWord = { text: string; parts: string[]; isPrefix: boolean; isKnown: boolean };

type Wanted = {
  words: QueryWord[];
  /** Tokens such as `usegaming`. */
  purposes: string[];
  filters: Filters;
  understood: Understood[];
  /** Model lines in the query, by folded name. `rest`: the query without that model line. */
  lines: { name: string; rest: string }[];
};

/** Excluded words, such as `-x1` or `-"macbook air"`. `rest`: the query without these words. */
export type Excluded = Omit<Wanted, "understood" | "lines"> & { text: string; rest: string };

export type ParsedQuery = Wanted & { excluded: Excluded[] };

/** Reads queries such as "16 GB ThinkPad under $500 near Portland with a good battery". */
export function parseQuery(typed: string): ParsedQuery {
  const text = normalizeQuery(foldText(typed));
  // Excluded words become spaces, so that positions in the text stay the same.
  const wanted = text.replaceAll(minusWord, (excluded) => " ".repeat(excluded.length));
  const spans = applyModifiers(
    withPlaces(findSpans<Property | BuyerCriterion>(wanted, rules), wanted),
    wanted,
  );
  return { ...readSpans(spans, text), excluded: excludedFrom(text) };
}

function readSpans(spans: Read[], text: string): Wanted {
  const read: Wanted = { words: [], purposes: [], filters: {}, understood: [], lines: [] };
  for (const span of spans) {
    if (!("word" in span)) {
      addRead(read, span, text);
      continue;
    }
    addWord(read, span.word, span.end === text.length);
    const isKnown = read.lines.some(({ name }) => name === span.word);
    if (Object.hasOwn(modelLines, span.word) && !isKnown)
      read.lines.push({
        name: span.word,
        rest: withoutPart(text, span.start, span.end - span.start),
      });
  }
  joinLetters(read);
  return read;
}

/** A minus sign before a word or quoted phrase, but not inside a name or before a number. */
const minusWord = /(?<!\S)-(?:"([a-z][^"]*)"|([a-z][^\s,;"]*))/g;
/** Each excluded word makes the search slower. */
const maxExcluded = 8;

function excludedFrom(text: string): Excluded[] {
  const excluded = [...text.matchAll(minusWord)].map((match) => {
    const name = match[1] ?? match[2] ?? "";
    // Whole words only: excluding "think" must not exclude ThinkPads.
    const { words, purposes, filters } = readSpans(findSpans(name, propertyRules), `${name} `);
    const rest = withoutPart(text, match.index, match[0].length);
    return { words, purposes, filters, text: name, rest };
  });
  return excluded
    .filter(({ words, purposes, filters }) => {
      // Battery tokens are in steps of 5%, so excluding them could exclude too many laptops.
      const isExact = filters.battery === undefined;
      return isExact && words.length + purposes.length + Object.keys(filters).length > 0;
    })
    .slice(0, maxExcluded);
}

function withoutPart(text: string, start: number, length: number): string {
  return `${text.slice(0, start)} ${text.slice(start + length)}`.replaceAll(/\s+/g, " ").trim();
}

const rules = [...buyerRules, ...propertyRules];

function addWord(wanted: Wanted, word: string, isLast: boolean): void {
  const purpose = purposes.get(word);
  if (purpose !== undefined) wanted.purposes.push(purpose);
  if (purpose !== undefined || stopWords.has(word)) return;
  for (const one of word.split(" ")) {
    const { whole, parts } = wordTokens(one);
    if (whole === "") continue;
    const isKnown = isKnownWord(word);
    // "13" is a size and "2019" a year. Neither is the beginning of a word such as "1335u".
    const isPrefix = isLast && whole.length > 1 && !/^(?:\d\d|(?:19|20)\d\d)$/.test(whole);
    wanted.words.push({ text: whole, parts, isPrefix, isKnown });
  }
}

/** Joins a letter and a number: "t 480" is the model T480. */
function joinLetters(parsed: Wanted): void {
  const words: QueryWord[] = [];
  for (const word of parsed.words) {
    const isLetter = words.at(-1)?.text.length === 1 && /^\d/.test(word.text);
    const text = `${isLetter ? words.pop()?.text : ""}${word.text}`;
    words.push(isLetter ? { ...word, text, parts: [text] } : word);
  }
  parsed.words = words;
}

function addRead(parsed: Wanted, span: Exclude<Read, { word: string }>, text: string): void {
  const filters: Filters = {};
  for (const read of span.read) {
    addFilters(filters, filtersOf(read));
    // A generation has no filter, so it is searched as a word: `gen11`.
    const token = read.kind === "generation" ? `gen${read.number}` : undefined;
    if (token) parsed.words.push({ text: token, parts: [token], isPrefix: false, isKnown: true });
  }
  if (Object.keys(filters).length === 0) return;
  Object.assign(parsed.filters, filters);
  const rest = withoutPart(text, span.start, span.end - span.start);
  parsed.understood.push({ filters, rest });
}

/** Values of the same filter are alternatives. */
function addFilters(filters: Filters, added: Filters): void {
  const before = new Map<string, unknown>(Object.entries(filters));
  for (const [name, values] of Object.entries(added)) {
    const others = before.get(name);
    const both = Array.isArray(others) && Array.isArray(values) ? [...others, ...values] : values;
    Object.assign(filters, { [name]: both });
  }
}

function filtersOf(read: Property | BuyerCriterion): Filters {
  switch (read.kind) {
    case "ram":
      return { ram: [read.gb] };
    case "sizes":
      return { [read.of]: read.among };
    case "storage":
      return { storage: [read.gb] };
    case "processor":
      return { cpu: [read.model === undefined ? String(read.family) : cpuName(read)] };
    case "graphics":
      return { gpu: [read.model ?? read.family] };
    case "screen":
      return { screen: [read.inches] };
    case "battery":
      return { battery: read.percent };
    case "price":
      return {
        ...(read.min !== undefined && { minPrice: read.min }),
        ...(read.max !== undefined && { maxPrice: read.max }),
      };
    case "year":
      return { year: { ...(read.from && { from: read.from }), ...(read.to && { to: read.to }) } };
    case "condition":
      return { condition: read.among };
    case "verified":
      return { verified: true };
    case "place":
      return { near: read.name, ...(read.km !== undefined && { within: read.km }) };
    default:
      return {};
  }
}

function cpuName({ family, model }: { family?: string; model?: string }): string {
  return family === undefined || /^m\d/.test(family) ? String(model) : `${family}-${model}`;
}
