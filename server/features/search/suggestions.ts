import { sql } from "kysely";
import type { Answer } from "#contract/call.ts";
import type { listSuggestions as call } from "#contract/search.ts";
import { foldText } from "#contract/text.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { brands, modelLines } from "../search-index/dictionary.ts";
import { placeLabel, suggestPlaces } from "../search-index/places.ts";
import { withinLimits } from "./search.ts";

type Suggestion = Answer<typeof call>["items"][number];

const maxSuggestions = 8;

/** Brands and models come before other words from listings. After "near", suggests towns. */
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
