import { usualWithin } from "#contract/distance.ts";
import { stopWords } from "../search-index/dictionary.ts";
import { isKnownWord } from "../search-index/find-spans.ts";
import { findPlaces, type NearbyPlace, placeLabel, placesWithin } from "../search-index/places.ts";
import type { Read } from "./modifiers.ts";
import type { Filters } from "./parse-query.ts";

/** `within`: kilometers. `others`: up to three other towns of the same name. */
export type SearchPlace = {
  name: string;
  within: number;
  others: string[];
  /** Nearest first, beginning with this town. */
  nearby: NearbyPlace[];
};

const maxOthers = 3;

type NearFilters = Pick<Filters, "near" | "within">;

/** Finds the largest town of this name. Undefined if the name is unknown. */
export function resolveNear({ near, within = usualWithin }: NearFilters): SearchPlace | undefined {
  const [place, ...others] = near === undefined ? [] : findPlaces(near);
  if (!place) return undefined;
  const labels = new Set(others.map(placeLabel));
  labels.delete(placeLabel(place));
  return {
    name: placeLabel(place),
    within,
    others: [...labels].slice(0, maxOthers),
    nearby: placesWithin(place, within),
  };
}

/** Joins "near" with the town after it, or with up to three words of an unknown place. */
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

/** "Near Leeds or York" names two towns, so the whole phrase is ignored. */
function otherTownLength([or, ...spans]: Read[], text: string): number {
  if (!or || !("word" in or) || or.word !== "or") return 0;
  const length = townLength(spans, text, startsWithTown);
  return length > 0 ? length + 1 : 0;
}

/** Town names that are usually ordinary words after "in" or "around". */
const ordinaryWords = new Set(
  "orange reading mobile bath nice normal surprise enterprise golden gray green eagle deal sale independence paradise most split college university".split(
    " ",
  ),
);

/** The minimum population of a town after "in" or "around". */
const minPopulation = 20_000;

function isOrdinary(name: string): boolean {
  return ordinaryWords.has(name) || (findPlaces(name)[0]?.population ?? 0) < minPopulation;
}

/** Counts the spans of a town followed by "area", such as "Los Angeles area". */
function areaLength(spans: Read[], text: string): number {
  const at = spans
    .slice(0, maxTownWords)
    .findIndex((span) => "word" in span && span.word === "area");
  return at > 0 && townLength(spans.slice(0, at), text, startsWithTown) === at ? at + 1 : 0;
}

const maxTownWords = 6;

/** Counts the spans of the longest town name at the start of `spans`. */
function townLength(spans: Read[], text: string, isTown = namesTown): number {
  for (let length = Math.min(maxTownWords, spans.length); length > 0; length -= 1) {
    const name = text.slice(spans[0]?.start, spans[length - 1]?.end);
    if (isTown(name)) return length;
  }
  return 0;
}

function namesTown(name: string): boolean {
  return findPlaces(name).length > 0;
}

/** Whether a name starts with a town, unlike "the station, Leeds". */
function startsWithTown(name: string): boolean {
  return namesTown(name) && namesTown(name.split(",")[0] ?? "");
}

function wordsLength(spans: Read[]): number {
  const end = spans.findIndex(
    (span) => !("word" in span) || stopWords.has(span.word) || isKnownWord(span.word),
  );
  return Math.min(3, end === -1 ? spans.length : end);
}
