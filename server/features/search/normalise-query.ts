import { isKnownWord } from "../search-index/find-spans.ts";

/** Folded text with sizes and prices in digits, and the words of the query grammar as they are spelled. */
export function normaliseQuery(text: string): string {
  return text
    .replaceAll(/\bper cent\b/g, "percent")
    .replaceAll(numberWords, toDigits)
    .replaceAll(/\b(\d+) (or (?:more|less)) (gb|gigs?|tb|inch(?:es)?)\b/g, "$1 $3 $2")
    .replaceAll(/[a-z]{5,}/g, spelled);
}

const ones =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const number = `(?:${[...ones, ...tens].join("|")})`;

/** Only before a unit: "two in one" and "one owner" stay words. */
const numberWords = new RegExp(
  `\\b(${number})(?:[ -](${number}))?(?: (hundred|thousand))?(?=[ -](?:gb|gigs?|gigabytes?|tb|terabytes?|inch(?:es)?|dollars|bucks|miles?|km|percent)\\b)`,
  "g",
);

function toDigits(_: string, first: string, second = "", factor = ""): string {
  const sum = [first, second].reduce((total, word) => total + numberOf(word), 0);
  return String(sum * (factor === "hundred" ? 100 : factor === "thousand" ? 1_000 : 1));
}

function numberOf(word: string): number {
  const ten = tens.indexOf(word);
  return ten === -1 ? Math.max(0, ones.indexOf(word)) : 10 * (ten + 2);
}

/** What filters are written with, where a typing error would lose one. */
const grammar = new Set(
  "under below above least between within maximum minimum budget cheaper dollars battery batteries excellent condition memory storage inches verified bought newer older health healthy percent".split(
    " ",
  ),
);

/** A word with a letter too few or too many, or with two swapped; not with another one: a lease is not "least". */
function spelled(typed: string): string {
  if (grammar.has(typed) || isKnownWord(typed)) return typed;
  return [...grammar].find((word) => word[0] === typed[0] && isMistyped(typed, word)) ?? typed;
}

function isMistyped(typed: string, word: string): boolean {
  const [short, long] = typed.length < word.length ? [typed, word] : [word, typed];
  const at = [...long].findIndex((letter, index) => letter !== short[index]);
  if (long.length === short.length + 1) return long.slice(at + 1) === short.slice(at);
  const swapped = `${long.slice(0, at)}${long[at + 1]}${long[at]}${long.slice(at + 2)}`;
  return long.length === short.length && swapped === short;
}
