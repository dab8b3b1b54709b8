import { toKm } from "#contract/distance.ts";
import type { Rule } from "../search-index/properties.ts";
import { modifierRules } from "./modifiers.ts";
import type { Wish } from "./wish.ts";

const number = "(\\d{1,3}(?:,\\d{3})+|\\d+(?:\\.\\d{1,2})?)\\s*(k\\b)?";
const currencyBefore = "(?:(\\$|usd\\b)?\\s*)";
const currency = "(?:\\s*(?:\\$|dollars?\\b|bucks\\b|usd\\b))";
/** What follows the number if it is no price. */
const noUnit =
  '(?![\\d.,]*\\d)(?!\\s*(?:gb|g\\b|tb|gigs?|%|percent|"|inch|in\\b|km|kilomet|mi\\b|miles?|kg|lbs?\\b|pounds?\\b|mah|wh\\b|hz|ghz|cycles|months?|years?|hours?))';
const most =
  "(?:(?:for\\s+)?(?:under|below|less than|cheaper than|no more than|not more than|up to|at most|within)|(?:my\\s+)?(?:max(?:imum)?|budget)(?:\\s+(?:price|budget|spend))?(?:\\s+(?:of|is))?:?|<=?)";
const least =
  "(?:over|above|more than|at least|no(?:t)? less than|min(?:imum)?(?: of)?|starting (?:at|from)|>=?)";
const orLess = "(?:max(?:imum)?|tops|or (?:less|under|below|cheaper)|budget)\\b";
const around = "(?:around|about|approximately|approx\\.?|roughly|~)";

function dollars(text = "", thousand?: string): number {
  return Number(text.replaceAll(",", "")) * (thousand ? 1_000 : 1);
}

/** Without a currency, a smaller number is hardly the price of a laptop. */
const leastBare = 50;

function price(range: { min?: number; max?: number }): Wish[] | undefined {
  return Object.values(range).every((value) => value > 0)
    ? [{ kind: "price", ...range }]
    : undefined;
}

/** Without a currency, "between 2019 and 2021" are years. */
function areYears(...numbers: (string | undefined)[]): boolean {
  return numbers.every((one) => /^(?:19[89]|20[012])\d$/.test(one ?? ""));
}

const prices: Rule<Wish>[] = [
  {
    pattern: new RegExp(`${most}\\s*${currencyBefore}${number}${noUnit}(${currency})?`, "y"),
    read: ([before, n, k, after]) => {
      const max = dollars(n, k);
      return before || after || max >= leastBare ? price({ max }) : undefined;
    },
  },
  {
    pattern: new RegExp(`${least}\\s*${currencyBefore}${number}${noUnit}(${currency})?`, "y"),
    read: ([before, n, k, after]) => {
      const min = dollars(n, k);
      return before || after || min >= leastBare ? price({ min }) : undefined;
    },
  },
  {
    pattern: new RegExp(
      `(between\\s+|from\\s+)?(\\$?)\\s*${number}\\s*(?:-|to|and)\\s*\\$?\\s*${number}${noUnit}(${currency})?`,
      "y",
    ),
    read: ([word, before, low, lowK, high, highK, after]) => {
      const [min, max] = [dollars(low, lowK ?? highK), dollars(high, highK)];
      const isPrice = before || after || (word && min >= leastBare && !areYears(low, high));
      return isPrice && min < max ? price({ min, max }) : undefined;
    },
  },
  {
    pattern: new RegExp(`${around}\\s*${currencyBefore}${number}${noUnit}(${currency})?`, "y"),
    read: ([before, n, k, after]) => {
      const middle = dollars(n, k);
      if (!before && !after && middle < leastBare) return undefined;
      return price({ min: Math.round(middle * 0.8), max: Math.round(middle * 1.2) });
    },
  },
  {
    pattern: new RegExp(`(?:for\\s+)?\\$\\s*${number}${noUnit}(?:\\s*${orLess})?`, "y"),
    read: ([n, k]) => price({ max: dollars(n, k) }),
  },
  {
    pattern: new RegExp(`(?:for\\s+)?${number}${currency}(?:\\s*${orLess})?`, "y"),
    read: ([n, k]) => price({ max: dollars(n, k) }),
  },
  {
    pattern: new RegExp(`(?:for\\s+)?${number}${noUnit}\\s*${orLess}`, "y"),
    read: ([n, k]) => (dollars(n, k) >= leastBare ? price({ max: dollars(n, k) }) : undefined),
  },
];

const aYear = "((?:19[89]|20[012])\\d)";

const years: Rule<Wish>[] = [
  {
    pattern: new RegExp(
      `(?:from|since)\\s+${aYear}(?:\\s+(?:on|onwards?|or\\s+(?:newer|later)))?\\b`,
      "y",
    ),
    read: ([year]) => [{ kind: "year", from: Number(year) }],
  },
  {
    pattern: new RegExp(`${aYear}\\s*(?:\\+|(?:or|and)\\s+(?:newer|later|up)\\b|onwards?\\b)`, "y"),
    read: ([year]) => [{ kind: "year", from: Number(year) }],
  },
  {
    pattern: new RegExp(`(?:newer than|after)\\s+${aYear}\\b`, "y"),
    read: ([year]) => [{ kind: "year", from: Number(year) + 1, compared: true }],
  },
  {
    pattern: new RegExp(`(?:older than|before)\\s+${aYear}\\b`, "y"),
    read: ([year]) => [{ kind: "year", to: Number(year) - 1, compared: true }],
  },
  {
    pattern: new RegExp(
      `(?:bought|purchased)\\s+(?:in\\s+)?${aYear}(?:\\s+or\\s+(?:(newer|later)|(older|earlier)))?\\b`,
      "y",
    ),
    read: ([year, later, earlier]) => [
      {
        kind: "year",
        ...(!earlier && { from: Number(year) }),
        ...(!later && { to: Number(year) }),
      },
    ],
  },
  {
    pattern: new RegExp(`(?:(?:between|from)\\s+)?${aYear}\\s*(?:-|to|and)\\s*${aYear}\\b`, "y"),
    read: ([from, to]) =>
      Number(from) <= Number(to)
        ? [{ kind: "year", from: Number(from), to: Number(to) }]
        : undefined,
  },
];

const goodBattery = 80;
const excellentBattery = 90;
const vague = "(?:\\s+(?:life|health|condition))?\\b";

function nearWithin(km: number): Wish[] | undefined {
  return km >= 1 && km <= 500 ? [{ kind: "near", km }] : undefined;
}

const qualities: Rule<Wish>[] = [
  {
    pattern: new RegExp(
      `(?:(?:a|with)\\s+)*(?:good|decent|healthy|strong|long|solid)\\s+batter(?:y|ies)${vague}`,
      "y",
    ),
    read: () => [{ kind: "leastBattery", percent: goodBattery }],
  },
  {
    pattern: new RegExp(
      `(?:(?:a|an|with)\\s+)*(?:great|excellent|perfect|fresh|amazing|new|very good)\\s+batter(?:y|ies)${vague}`,
      "y",
    ),
    read: () => [{ kind: "leastBattery", percent: excellentBattery }],
  },
  {
    pattern:
      /battery(?:\s+(?:health|life|capacity))?\s*(?:over|above|at least|min(?:imum)?|>=?|more than|better than)?\s*(\d{2,3})\s*(?:%|percent)?(?:\s*(?:\+|or (?:more|better)))?/y,
    read: ([n]) =>
      Number(n) >= 20 && Number(n) <= 100
        ? [{ kind: "leastBattery", percent: Number(n) }]
        : undefined,
  },
  {
    pattern:
      /(?:over|above|at least|min(?:imum)?|>=?|more than)?\s*(\d{2,3})\s*(?:%|percent)\+?\s*(?:or (?:more|better)\s+)?(?:battery(?:\s+(?:health|capacity|life))?|health)\b/y,
    read: ([n]) =>
      Number(n) >= 20 && Number(n) <= 100
        ? [{ kind: "leastBattery", percent: Number(n) }]
        : undefined,
  },
  {
    pattern:
      /(?:in\s+)?(?:like[ -]new|(?:as )?good as new|as new|almost new|(?:near[ -])?mint|(?:barely|hardly) used|pristine|flawless|excellent)(?:\s+condition)?\b/y,
    read: () => [{ kind: "condition", among: ["Excellent"] }],
  },
  {
    pattern: /(?:in\s+)?(?:(?:a|very)\s+)*(?:good|great|nice) (?:condition|shape)\b/y,
    read: () => [{ kind: "condition", among: ["Excellent", "Good"] }],
  },
  {
    pattern: /(?:in\s+)?(?:fair condition|well[ -]used|fair shape)\b/y,
    read: () => [{ kind: "condition", among: ["Fair"] }],
  },
  {
    pattern: /(?:from\s+)?(?:a\s+)?(?:verified|trusted)(?:\s+sellers?)?\b/y,
    read: () => [{ kind: "verified" }],
  },
  {
    pattern: /(?:near|close to|around|nearby)\s+(?:me|here|my\s+(?:place|area|home))\b/y,
    read: () => [{ kind: "dropped" }],
  },
  {
    pattern:
      /(?:near|close to|nearby|not far from|(?:pick[ -]?up|collect(?:ion|ed)?|located|based) (?:in|from|at|near))\b/y,
    read: () => [{ kind: "near" }],
  },
  {
    pattern: /(?:in|around)(?: the)?(?= [a-z])/y,
    read: () => [{ kind: "near", maybe: true }],
  },
  {
    pattern:
      /(?:(?:within|(?:less|closer) than|under|up to|at most)\s+)?(\d{1,3})\s*(km|kilomet(?:er|re)s?|mi|miles?)\s+(?:of|from|around|near|to|away from)\b/y,
    read: ([n, unit = ""]) => nearWithin(unit.startsWith("k") ? Number(n) : toKm(Number(n))),
  },
];

/** What a buyer may write besides the properties of a laptop. */
export const wishRules: Rule<Wish>[] = [...prices, ...years, ...qualities, ...modifierRules];
