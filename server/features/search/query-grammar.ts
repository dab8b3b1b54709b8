import { currencies } from "#contract/currencies.ts";
import { toKm } from "#contract/distance.ts";
import { toDollars } from "#contract/price.ts";
import { maxSearchCents } from "#contract/search.ts";
import { isKnownWord } from "../search-index/find-spans.ts";
import { battery, type Property, type Rule, rule } from "../search-index/property-rules.ts";
import { type BuyerCriterion, modifierRules } from "./modifiers.ts";

const number = "(\\d{1,3}(?:,\\d{3})+|\\d+(?:\\.\\d{1,3})?)\\s*(k\\b)?";
const codes = [...currencies.map((code) => code.toLowerCase()), "kr", "kc", "zl", "rm", "lei"];
/** Every currency is read as the shop's currency. */
const sign = `(?:r?\\$|[€£¥]|(?:${codes.join("|")})(?![a-z]))`;
const currencyBefore = `(?:(${sign})?\\s*)`;
const currency = `(?:\\s*(?:${sign}|(?:dollars?|bucks|euros?|yen)\\b))`;
/** A number before one of these units is not a price. */
const noUnit =
  '(?![\\d.,]*\\d)(?!\\s*(?:gb|g\\b|tb|gigs?|%|percent|"|inch|km|kilomet|mi\\b|miles?|kg|grams?\\b|lbs?\\b|pounds?\\b|cm\\b|mm\\b|mah|wh?\\b|watts?\\b|hz|mhz|ghz|nits\\b|fps\\b|(?:(?:battery|charge|charging|full)\\s+)*cycles|mins?\\b|minutes?|days?|weeks?|months?|yrs?\\b|years?|hrs?\\b|hours?|cores?\\b|ports?\\b|people\\b))';
const atMost =
  "(?:(?:for\\s+)?(?:under|below|less than|cheaper than|no more than|not more than|not (?:a|one) (?:penny|cent|dollar) (?:more than|over|above)|up to|at most|within)|(?:my\\s+)?(?:max(?:imum)?|budget)(?:\\s+(?:price|budget|spend))?(?:\\s+(?:of|is))?:?|<=?)";
const atLeast =
  "(?:over|above|more than|more expensive than|pricier than|at least|no(?:t)? less than|min(?:imum)?(?: of)?|starting (?:at|from)|>=?)";
const orLess = "(?:max(?:imum)?|tops|or (?:less|under|below|cheaper)|budget)\\b";
const around = "(?:around|about|approximately|approx\\.?|roughly|~)";

function dollars(text = "", thousand?: string): number {
  return Number(text.replaceAll(",", "")) * (thousand ? 1_000 : 1);
}

/** A number below this needs a currency to be a price. */
const minBarePrice = 50;

function price(range: { min?: number; max?: number }): BuyerCriterion[] | undefined {
  const max = toDollars(maxSearchCents);
  const named = Object.entries(range).map(([end, value]) => [end, Math.min(value, max)]);
  return Object.values(range).every((value) => value > 0)
    ? [{ kind: "price", ...Object.fromEntries(named) }]
    : undefined;
}

function about(middle: number): BuyerCriterion[] | undefined {
  return price({ min: Math.round(middle * 0.8), max: Math.round(middle * 1.2) });
}

/** Whether all numbers look like years. Without a currency, "between 2019 and 2021" means years. */
function areYears(...numbers: (string | undefined)[]): boolean {
  return numbers.every((one) => /^(?:19[89]|20[012])\d$/.test(one ?? ""));
}

function bounded(words: string, end: "min" | "max"): Rule<BuyerCriterion> {
  const pattern = `${words}\\s*${currencyBefore}${number}${noUnit}(${currency})?`;
  return rule(pattern, ([before, n, k, after]) => {
    const bound = dollars(n, k);
    return before || after || bound >= minBarePrice ? price({ [end]: bound }) : undefined;
  });
}

const prices: Rule<BuyerCriterion>[] = [
  bounded(atMost, "max"),
  bounded(atLeast, "min"),
  rule(
    `(between\\s+|from\\s+|prices?\\s*:?\\s*)?(${sign}?)\\s*${number}\\s*(?:-|to|and|up to)\\s*${sign}?\\s*${number}${noUnit}(${currency})?`,
    ([word, before, low, lowK, high, highK, after]) => {
      const [min, max] = [dollars(low, lowK ?? highK), dollars(high, highK)];
      const isPrice = before || after || (word && min >= minBarePrice && !areYears(low, high));
      return isPrice && min < max ? price({ min, max }) : undefined;
    },
  ),
  rule(
    `${around}\\s*${currencyBefore}${number}${noUnit}(${currency})?`,
    ([before, n, k, after]) => {
      const middle = dollars(n, k);
      if (!before && !after && (middle < minBarePrice || areYears(n))) return undefined;
      return about(middle);
    },
  ),
  rule(`${sign}\\s*${number}\\s*(?:\\+|(?:or|and) (?:more|up|above|over)\\b)`, ([n, k]) =>
    price({ min: dollars(n, k) }),
  ),
  rule(`(${sign}?)\\s*${number}\\s*-?ish\\b`, ([before, n, k]) =>
    before || dollars(n, k) >= 100 ? about(dollars(n, k)) : undefined,
  ),
  rule(`(?:for\\s+)?${sign}\\s*${number}${noUnit}(?:\\s*${orLess})?`, ([n, k]) =>
    price({ max: dollars(n, k) }),
  ),
  rule(
    `(?:for\\s+)?${number}${currency}(?!\\s+(?:range|region|mark)\\b)(?:\\s*${orLess})?`,
    ([n, k]) => price({ max: dollars(n, k) }),
  ),
  rule(`(?:for\\s+)?${number}${noUnit}\\s*${orLess}`, ([n, k]) =>
    dollars(n, k) >= minBarePrice ? price({ max: dollars(n, k) }) : undefined,
  ),
];

const aYear = "((?:19[89]|20[012])\\d)";

const years: Rule<BuyerCriterion>[] = [
  rule(`(?:from|since)\\s+${aYear}(?:\\s+(?:on|onwards?|or\\s+(?:newer|later)))?\\b`, ([year]) => [
    { kind: "year", from: Number(year) },
  ]),
  rule(`${aYear}\\s*(?:\\+|(?:or|and)\\s+(?:newer|later|up)\\b|onwards?\\b)`, ([year]) => [
    { kind: "year", from: Number(year) },
  ]),
  rule(`(?:newer than|after)\\s+${aYear}\\b`, ([year]) => [
    { kind: "year", from: Number(year) + 1, compared: true },
  ]),
  rule(`(?:older than|before)\\s+${aYear}\\b`, ([year]) => [
    { kind: "year", to: Number(year) - 1, compared: true },
  ]),
  rule(
    `(?:bought|purchased)\\s+(?:in\\s+)?${aYear}(?:\\s+or\\s+(?:(newer|later)|(older|earlier)))?\\b`,
    ([year, later, earlier]) => [
      {
        kind: "year",
        ...(!earlier && { from: Number(year) }),
        ...(!later && { to: Number(year) }),
      },
    ],
  ),
  rule(`(?:(?:between|from)\\s+)?${aYear}\\s*(?:-|to|and)\\s*${aYear}\\b`, ([from, to]) =>
    Number(from) <= Number(to) ? [{ kind: "year", from: Number(from), to: Number(to) }] : undefined,
  ),
];

const goodBattery = 80;
const excellentBattery = 90;
const vague = "(?:\\s+(?:life|health|condition))?\\b";

function nearWithin(km: number): BuyerCriterion[] | undefined {
  return km >= 1 && km <= 500 ? [{ kind: "near", km }] : undefined;
}

const state = "(?:condition|shape|state|working order)";
/** "Flawless screen" doesn't mean a flawless laptop. */
const notOfPart =
  "(?!\\s+(?:green|colou?r|linux|keyboard|screen|display|panel|speakers?|sound|audio|camera|webcam|mic|trackpad|touchpad|hinges?|ports?|charger|batter(?:y|ies)(?!\\s+(?:health|life|capacity|at|over|above|\\d))|performance|graphics|cooling|build|quality|specs?|value|price|deal|service|seller|for\\b|at\\b))";

const qualities: Rule<Property | BuyerCriterion>[] = [
  rule(
    `(?:(?:a|with)\\s+)*(?:good|decent|healthy|strong|long(?:[ -]lasting)?|solid)\\s+batter(?:y|ies)${vague}`,
    () => [{ kind: "battery", percent: goodBattery }],
  ),
  rule(
    `(?:(?:a|an|with)\\s+)*(?:great|excellent|perfect|fresh|amazing|new|very good)\\s+batter(?:y|ies)${vague}`,
    () => [{ kind: "battery", percent: excellentBattery }],
  ),
  rule(
    /battery(?:\s+(?:health|life|capacity))?\s*(?:over|above|at least|min(?:imum)?|>=?|more than|better than)?\s*(\d{2,3})(?![\d.]|\s*(?:w?h\b|mah|hours?|hrs|min|cycles|charge))\s*(?:%|percent)?(?:\s*(?:\+|or (?:more|better)))?/,
    ([n]) => battery(n),
  ),
  rule(
    /(?:over|above|at least|min(?:imum)?|>=?|more than)?\s*(\d{2,3})\s*(?:%|percent)\+?\s*(?:or (?:more|better)\s+)?(?:battery(?:\s+(?:health|capacity|life))?|health)\b/,
    ([n]) => battery(n),
  ),
  rule(
    `(?:in\\s+)?(?:(?:like[ -]new|(?:as )?good as new|as new|almost new|near[ -]mint|(?:barely|hardly|never) used|unused|(?<!linux )mint|pristine|immaculate|flawless)(?:\\s+${state})?|excellent(?=\\s*(?:[,.;!?)]|or\\b|$))|(?:excellent|perfect|superb|top) ${state})\\b${notOfPart}`,
    () => [{ kind: "condition", among: ["Excellent"] }],
  ),
  rule(
    `(?:in\\s+)?(?:(?:a|very)\\s+)*(?:good|great|nice|decent) (?:(?:working|used|cosmetic|overall|physical)\\s+)*${state}\\b`,
    () => [{ kind: "condition", among: ["Excellent", "Good"] }],
  ),
  rule(/(?:in\s+)?(?:fair condition|well[ -]used|fair shape)\b/, () => [
    { kind: "condition", among: ["Fair"] },
  ]),
  rule(/(?:from\s+)?(?:a\s+)?(?:(?:verified|trusted)\s+sellers?|verified)\b/, () => [
    { kind: "verified" },
  ]),
  rule(/(?:near|close to|around|nearby)\s+(?:me|here|my\s+(?:place|area|home))\b/, () => [
    { kind: "ignored" },
  ]),
  rule(
    /(?:near|close to|nearby|not far from|(?:pick[ -]?up|collect(?:ion|ed)?|located|based) (?:in|from|at|near))\b/,
    () => [{ kind: "near" }],
  ),
  rule(/(?:in|around)(?: the)?(?= [a-z])/, () => [{ kind: "near", maybe: true }]),
  rule(
    /(?:(?:within|(?:less|closer) than|under|up to|at most)\s+)?(\d{1,3})\s*(km|kilomet(?:er|re)s?|mi|miles?)\s+(?:of|from|around|near|to|away from)\b/,
    ([n, unit = ""]) => nearWithin(unit.startsWith("k") ? Number(n) : toKm(Number(n))),
  ),
];

/** In a query, a bare "15.6" is a screen size. In a listing, it may be a version. */
const screens: Rule<Property>[] = [
  rule(/(?<!(?:os|version|ubuntu|linux)\s+)(1[0-8]\.[1-9])(?![.\d]|\s*[a-z%]{1,3}\b)/, ([n]) =>
    screenTenths.includes(Math.round(10 * Number(n)))
      ? [{ kind: "screen", inches: Number(n) }]
      : undefined,
  ),
];

const screenTenths = [
  101, 105, 109, 116, 123, 124, 125, 133, 134, 135, 136, 138, 139, 141, 142, 144, 145, 153, 154,
  156, 161, 162, 173,
];

export const buyerRules: Rule<Property | BuyerCriterion>[] = [
  ...prices,
  ...years,
  ...qualities,
  ...screens,
  ...modifierRules,
];

/** Normalizes number words, "percent", "or more" beside units, and misspelled `grammar` words. */
export function normalizeQuery(text: string): string {
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
const numberWord = `(?:${[...ones, ...tens].join("|")})`;

/** In "two in one" and "one owner", the number stays a word. */
const numberWords = new RegExp(
  `\\b(${numberWord})(?:[ -](${numberWord}))?(?: (hundred|thousand))?(?=[ -](?:gb|gigs?|gigabytes?|tb|terabytes?|inch(?:es)?|dollars|bucks|euros|yen|miles?|km|percent)\\b)`,
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

/** A typo in one of these words would lose a filter. */
const grammar = new Set(
  "under below above least between within maximum minimum budget cheaper dollars battery batteries excellent condition memory storage inches verified bought newer older health healthy percent".split(
    " ",
  ),
);

/** Corrects a missing, extra or swapped letter after the first, but not "lease" to "least". */
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
