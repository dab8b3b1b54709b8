import { brands, modelLines, purposes, spellings } from "./dictionary.ts";
import type { Rule } from "./properties.ts";

/** What was read from `start` to `end` of a folded text. */
export type Span<T> = { start: number; end: number; read: T[] } | WordSpan;

export type WordSpan = { start: number; end: number; word: string };

const spellingOf = new Map(Object.entries(spellings));

const word = /[\p{L}\p{N}](?:[\p{L}\p{N}+#]|['./-](?=[\p{L}\p{N}]))*/uy;

/** Reads a folded text from left to right: at each word the longest rule that makes sense, or the word itself. */
export function findSpans<T>(text: string, rules: readonly Rule<T>[]): Span<T>[] {
  const spans: Span<T>[] = [];
  let at = 0;
  while (at < text.length) {
    const found = isWordStart(text, at)
      ? (longest(text, at, rules) ?? wordAt(text, at))
      : undefined;
    if (found) spans.push(found);
    at = found?.end ?? at + 1;
  }
  return spans;
}

function isWordStart(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") && /[\p{L}\p{N}$<>~]/u.test(text[at] ?? "");
}

function longest<T>(text: string, at: number, rules: readonly Rule<T>[]): Span<T> | undefined {
  let best: { start: number; end: number; read: T[] } | undefined;
  for (const { pattern, read } of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match || match[0].length <= (best ? best.end - at : 0)) continue;
    const properties = read(match.slice(1));
    if (properties) best = { start: at, end: at + match[0].length, read: properties };
  }
  return best;
}

/** A word, or several that the dictionary has as one: "hewlett packard", "macbook pro". */
function wordAt(text: string, at: number): WordSpan | undefined {
  for (const pattern of [phrase, word]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined)
      return { start: at, end: at + match.length, word: spellingOf.get(match) ?? match };
  }
  return undefined;
}

const phrases = [...Object.keys(spellings), ...Object.keys(modelLines), ...Object.keys(purposes)]
  .filter((name) => /[^\p{L}\p{N}]/u.test(name))
  .sort((a, b) => b.length - a.length);

const phrase = new RegExp(`(?:${phrases.join("|")})(?![\\p{L}\\p{N}])`, "uy");

const known = new Set([...brands, ...Object.keys(modelLines), ...Object.keys(purposes)]);

/** Whether the dictionary has the word, so that it is never corrected. */
export function isKnownWord(name: string): boolean {
  return known.has(name);
}
