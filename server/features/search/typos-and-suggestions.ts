import { sql } from "kysely";
import type { Answer } from "#contract/call.ts";
import type { listSuggestions as call } from "#contract/search.ts";
import { foldText } from "#contract/text.ts";
import { readRow, type Tx } from "../../db/database.ts";
import { mayTakeHours } from "../../db/prepared-statements.ts";
import type { Deps } from "../../deps.ts";
import { brands, modelLines } from "../search-index/dictionary.ts";
import { lexeme } from "../search-index/listing-document.ts";
import { placeLabel, suggestPlaces } from "../search-index/places.ts";
import type { ParsedQuery, QueryWord } from "./parse-query.ts";
import { withinLimits } from "./run-search.ts";

/** Approximate maximum number of listings whose words are sampled. */
const maxListings = 50_000;

/** Job `refreshVocabulary`: counts the words in a sample of the listings. */
export async function refreshVocabulary({ db }: Deps): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const count = sql<{ estimate: number }>`
      select reltuples::integer as estimate from pg_class where oid = 'search_documents'::regclass`;
    const { estimate } = await readRow(tx, count);
    const percent = Math.min(100, (100 * maxListings) / Math.max(1, estimate));
    const documents = `select tokens from search_documents tablesample system (${percent}) repeatable (1) where listed`;
    await sql`set local statement_timeout = '60s'`.execute(tx);
    await sql`
      with counted as (
        select word as term, ndoc as frequency from ts_stat(${sql.lit(documents)})
        where word ~ '^[a-z]{3,30}$' and word !~ '^use(gaming|light|business|creative|rugged|cheap|student)$'
      ), removed as (
        delete from search_vocabulary where term not in (select term from counted)
      )
      insert into search_vocabulary (term, frequency) select term, frequency from counted
      on conflict (term) do update set frequency = excluded.frequency
      where search_vocabulary.frequency <> excluded.frequency ${sql.raw(mayTakeHours)}`.execute(tx);
  });
}

type Correction = { from: string; to: string };

/** A word in this many sampled listings counts as complete. Finding longer words would be slow. */
const commonWord = 1_250;

/**
 * Corrects typos in `parsed`: words found in no listing, except brands, model lines, purposes,
 * short words and words with digits. Also marks common words as complete.
 */
export async function correctWords(tx: Tx, parsed: ParsedQuery): Promise<Correction[]> {
  const suspects = parsed.words.filter(
    ({ text, isKnown, isPrefix }) =>
      !isKnown && (typosAllowed(text) > 0 || (isPrefix && isTerm(text))),
  );
  if (suspects.length === 0) return [];
  const candidates = await findCandidates(tx, suspects);
  const corrections: Correction[] = [];
  for (const word of suspects) {
    const of = candidates.filter(({ typed }) => typed === word.text);
    if (of.some(({ term, frequency }) => term === word.text && frequency >= commonWord))
      word.isPrefix = false;
    if (of.some(({ term }) => term === word.text || (word.isPrefix && term.startsWith(word.text))))
      continue;
    if (typosAllowed(word.text) === 0) continue;
    const to = closest(word.text, of);
    if (to === undefined || (await isInListing(tx, word.text))) continue;
    corrections.push({ from: word.text, to });
    Object.assign(word, { text: to, parts: [to], isKnown: true });
  }
  return corrections;
}

/** Whether a word has three letters. Such a word is never corrected, but may be complete: "gen". */
function isTerm(text: string): boolean {
  return /^[a-z]{3}$/.test(text);
}

/** Whether a listing has the word. The vocabulary may not contain the newest listings yet. */
async function isInListing(tx: Tx, word: string): Promise<boolean> {
  const { rows } = await sql`
    select from search_documents
    where listed and tokens @@ ${lexeme(word)}::tsquery limit 1`.execute(tx);
  return rows.length > 0;
}

type Candidate = { typed: string; term: string; frequency: number };

async function findCandidates(tx: Tx, words: QueryWord[]): Promise<Candidate[]> {
  const typed = words.map(({ text }) => text);
  const { rows } = await sql<Candidate>`
    select typed, near.term, near.frequency from unnest(${typed}::text[]) as typed,
    lateral (
      (select term, frequency from search_vocabulary where term % typed
        order by similarity(term, typed) desc, frequency desc limit 60)
      union
      (select term, frequency from search_vocabulary
        where term like typed || '%' order by frequency desc limit 1)
      union
      (select term, frequency from search_vocabulary where term = typed)
    ) as near`.execute(tx);
  return rows;
}

function closest(typed: string, candidates: Candidate[]): string | undefined {
  const near = candidates
    .map((one) => ({ ...one, distance: editDistance(typed, one.term) }))
    // The typed word may lack a letter, so the longer word decides how many typos are allowed.
    .filter(
      ({ term, distance }) => distance <= typosAllowed(term.length > typed.length ? term : typed),
    )
    .sort((a, b) => a.distance - b.distance || b.frequency - a.frequency);
  return near[0]?.term;
}

/** Optimal string alignment distance: counts inserted, deleted, replaced or swapped letters. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let min = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        min = Math.min(min, at(beforePrevious, j - 2) + 1);
      current.push(min);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

function typosAllowed(word: string): 0 | 1 | 2 {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

type Suggestion = Answer<typeof call>["items"][number];

const maxSuggestions = 8;

/** Suggests brands and models before other words from listings, and towns after "near". */
export async function listSuggestions(
  deps: Pick<Deps, "config">,
  db: Tx,
  typed: string,
): Promise<Suggestion[]> {
  const text = foldText(typed);
  const [, before = "", last = ""] = /^(.*?)([\p{L}\p{N}]*)$/u.exec(text) ?? [];
  const near = /^(.*\b(?:near|km of|miles of) )(\p{L}{2}[^\d]*)$/u.exec(text);
  if (near) return townsAfter(near);
  if (last.length < 2) return [];
  const known = [...knownNames.entries()].filter(([name]) => name.startsWith(last));
  const terms = await withinLimits(deps, db, async (tx) => {
    const { rows } = await sql<{ term: string }>`
      select term from search_vocabulary where term like ${`${last}%`}
      order by frequency desc limit ${sql.lit(maxSuggestions)}`.execute(tx);
    return rows.map(({ term }) => term);
  });
  const inUse = new Set(terms);
  const suggestions = new Map<string, Suggestion>();
  for (const [name, kind] of known.filter(([name]) => inUse.has(name.split(" ")[0] ?? "")))
    suggestions.set(name, { text: `${before}${name}`, kind });
  for (const term of terms)
    if (!suggestions.has(term)) suggestions.set(term, { text: `${before}${term}`, kind: "word" });
  return [...suggestions.values()].slice(0, maxSuggestions);
}

function townsAfter([, before = "", typed = ""]: string[]): Suggestion[] {
  const towns = suggestPlaces(typed, maxSuggestions).map(placeLabel);
  return [...new Set(towns)].map((name) => ({ text: `${before}${name}`, kind: "place" }));
}

const knownNames = new Map<string, Suggestion["kind"]>([
  ...brands.map((name) => [name, "brand"] as const),
  ...Object.keys(modelLines).map((name) => [name, "model"] as const),
]);
