import { stopWords } from "../search-index/dictionary.ts";
import { isKnownWord, type Span } from "../search-index/find-spans.ts";
import { findPlaces } from "../search-index/places.ts";
import type { Property } from "../search-index/properties.ts";
import type { BuyerCriterion } from "./buyer-criteria.ts";

type Read = Span<Property | BuyerCriterion>;

/** "near" takes a town after it, or the words up to one that means something else. */
export function withPlaces(spans: Read[], text: string): Read[] {
  const result: Read[] = [];
  for (let index = 0; index < spans.length; index += 1) {
    const span = spans[index] as Read;
    const read = "word" in span ? undefined : span.read[0];
    const near = read?.kind === "near" ? read : undefined;
    const after = spans.slice(index + 1);
    const length = near
      ? near.maybe
        ? townLength(after, text, startsWithTown)
        : townLength(after, text) || wordsLength(after)
      : areaLength(spans.slice(index), text) - 1;
    const last = after[length - 1];
    const first = near ? after[0] : span;
    const name = last && text.slice(first?.start, last.end).replace(/ area$/, "");
    const another = name ? otherTownLength(after.slice(length), text) : 0;
    if (another > 0) index += length + another;
    else if (name && !(near?.maybe && isOrdinary(name))) {
      const km = near?.km === undefined ? {} : { km: near.km };
      result.push({ start: span.start, end: last.end, read: [{ kind: "place", name, ...km }] });
      index += length;
    } else if (!near?.maybe) result.push(span);
  }
  return result;
}

/** "Leeds or York": a search has one town, and neither of them is the one that was meant. */
function otherTownLength([or, ...spans]: Read[], text: string): number {
  if (!or || !("word" in or) || or.word !== "or") return 0;
  const length = townLength(spans, text, startsWithTown);
  return length > 0 ? length + 1 : 0;
}

/** Towns whose names are words that follow "in" or "around" in other meanings. */
const ordinaryWords = new Set(
  "orange reading mobile bath nice normal surprise enterprise golden gray green eagle deal sale independence paradise most split college university".split(
    " ",
  ),
);

/** After "in" and "around" only a town of some size counts. */
const leastPopulation = 20_000;

function isOrdinary(name: string): boolean {
  return ordinaryWords.has(name) || (findPlaces(name)[0]?.population ?? 0) < leastPopulation;
}

/** "Los Angeles area": how many spans that is. */
function areaLength(spans: Read[], text: string): number {
  const at = spans
    .slice(0, mostTownWords)
    .findIndex((span) => "word" in span && span.word === "area");
  return at > 0 && townLength(spans.slice(0, at), text, startsWithTown) === at ? at + 1 : 0;
}

/** "Newcastle upon Tyne, England" has five words. */
const mostTownWords = 6;

/** How many of the spans name a town that we know; the longest name counts. */
function townLength(spans: Read[], text: string, isTown = namesTown): number {
  for (let length = Math.min(mostTownWords, spans.length); length > 0; length -= 1) {
    const name = text.slice(spans[0]?.start, spans[length - 1]?.end);
    if (isTown(name)) return length;
  }
  return 0;
}

function namesTown(name: string): boolean {
  return findPlaces(name).length > 0;
}

/** Not "the station, Leeds". */
function startsWithTown(name: string): boolean {
  return namesTown(name) && namesTown(name.split(",")[0] ?? "");
}

/** A place that we don't know has at most three words. */
function wordsLength(spans: Read[]): number {
  const end = spans.findIndex(
    (span) => !("word" in span) || stopWords.has(span.word) || isKnownWord(span.word),
  );
  return Math.min(3, end === -1 ? spans.length : end);
}
