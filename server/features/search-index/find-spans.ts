import { brands, modelLines, purposes, synonyms } from "./dictionary.ts";
import type { Rule } from "./property-rules.ts";

export type Span<T> = { start: number; end: number; read: T[] } | WordSpan;

type WordSpan = { start: number; end: number; word: string };

const word = /[\p{L}\p{N}](?:[\p{L}\p{N}+#]|['./-](?=[\p{L}\p{N}]))*/uy;

/**
 * Splits the folded text of a listing or query into properties and words. At each word, the rule
 * with the longest match wins. A word that no rule matches stays a word.
 */
export function findSpans<T>(text: string, rules: readonly Rule<T>[]): Span<T>[] {
  const spans: Span<T>[] = [];
  let at = 0;
  while (at < text.length) {
    const found = isWordStart(text, at)
      ? (longestMatch(text, at, rules) ?? wordAt(text, at))
      : undefined;
    if (found) spans.push(found);
    at = found?.end ?? at + 1;
  }
  return spans;
}

function isWordStart(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") && /[\p{L}\p{N}$€£¥<>~]/u.test(text[at] ?? "");
}

function longestMatch<T>(text: string, at: number, rules: readonly Rule<T>[]): Span<T> | undefined {
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

/** Reads a word, or a phrase that is one word in the dictionary, such as "macbook pro". */
function wordAt(text: string, at: number): WordSpan | undefined {
  for (const pattern of [phrase, word]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined)
      return { start: at, end: at + match.length, word: synonyms.get(match) ?? match };
  }
  return undefined;
}

const phrases = [...synonyms.keys(), ...Object.keys(modelLines), ...purposes.keys()]
  .filter((name) => /[^\p{L}\p{N}]/u.test(name))
  .sort((a, b) => b.length - a.length);

const phrase = new RegExp(`(?:${phrases.join("|")})(?![\\p{L}\\p{N}])`, "uy");

const known = new Set([...brands, ...Object.keys(modelLines), ...purposes.keys()]);

/** Whether the word is a brand, model line or purpose. Such words are never corrected as typos. */
export function isKnownWord(name: string): boolean {
  return known.has(name);
}

/** Gives most singulars and plurals the same token, which need not be a real word. */
export function stem(word: string): string {
  if (word.length < 5 || /\d/.test(word) || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** In characters. PostgreSQL refuses tokens of 2 KB, and buyers don't type words this long. */
const maxTokenLength = 60;

/**
 * Splits "x-360" into `parts`, "x" and "360", and joins them as `whole`, "x360". All are stemmed.
 */
export function wordTokens(word: string): { whole: string; parts: string[] } {
  const parts = word.split(/['./-]+/).filter((part) => part !== "");
  return {
    whole: stem(parts.join("")).slice(0, maxTokenLength),
    parts: parts.map((part) => stem(part).slice(0, maxTokenLength)),
  };
}

/** Joins two neighboring words that may be written as one: "t 480", "xps 13", "x1 carbon". */
export function joined(first: string, second: string): string | undefined {
  const together = `${first}${second}`;
  return /\d/.test(together) && together.length <= 20 ? together : undefined;
}
