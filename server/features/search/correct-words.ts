import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { lexeme } from "../search-index/listing-document.ts";
import { editDistance, typosAllowed } from "./edit-distance.ts";
import type { ParsedQuery, QueryWord } from "./parse-query.ts";

export type Correction = { from: string; to: string };

/** A word of so many counted listings is complete: looking for what begins with it, too, would take too long. */
const commonWord = 1_250;

/** Takes words that no listing has for the most likely ones that some have. Known words stay as they are. */
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

/** Of the shortest terms in the vocabulary: never corrected, but "gen" may be complete. */
function isTerm(text: string): boolean {
  return /^[a-z]{3}$/.test(text);
}

/** A listing may be newer than the vocabulary. */
async function isInListing(tx: Tx, word: string): Promise<boolean> {
  const { rows } = await sql`
    select from search_documents
    where listed and version <> 0 and tokens @@ ${lexeme(word)}::tsquery limit 1`.execute(tx);
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
    // A letter may be missing in what was typed.
    .filter(
      ({ term, distance }) => distance <= typosAllowed(term.length > typed.length ? term : typed),
    )
    .sort((a, b) => a.distance - b.distance || b.frequency - a.frequency);
  return near[0]?.term;
}
