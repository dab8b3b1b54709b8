import fc from "fast-check";
import { trickyText } from "./schema-arbitraries.ts";

/** Characters that search normalization expands, and characters with a special meaning. */
const oddCharacter = fc.constantFrom(
  ..."ﷺ㎏㌀¾İßﬃ½™Ⅷ⑳٣𝟗'\"-,./$%+<>~()&|!:*\\@=",
  "\u0301",
  "\u200d",
  "😀",
);

const number = fc.oneof(
  fc.integer({ min: 0, max: 2_000 }).map(String),
  fc.integer({ min: 0, max: 4_294_967_296 }).map(String),
  fc.double({ min: 0, max: 40, noNaN: true }).map((one) => one.toFixed(2)),
  fc.constantFrom("8.5", "1,000,000", "21474837", "2147483648", "9".repeat(60), "0", "00", "1e9"),
);

const words = fc.constantFrom(
  "laptop",
  "thinkpad",
  "macbook pro",
  "x1 carbon",
  "gaming",
  "used",
  "student",
  "cheap",
  "i7",
  "i7-1165g7",
  "ryzen 5",
  "rtx 3060",
  "gen",
  "qwzxv",
  "thnkpad",
  "near",
  "portland, or",
  "leeds or york",
  "km of",
  "in",
  "bought",
  "newer than",
  "older than",
  "before",
  "verified",
  "good battery",
  "battery",
  "like new",
  "fair condition",
  "excellent",
  "screen",
  "ram",
  "ssd",
);

const modifiers = fc.constantFrom(
  "under",
  "over",
  "about",
  "around",
  "between",
  "from",
  "at least",
  "at most",
  "up to",
  "max",
  "not",
  "no",
  "without",
  "or",
  "and",
  "to",
  "-",
  "or more",
  "or less",
  "faster than",
  "is too",
  "budget of",
  "minimum",
  "+",
  "/",
  ",",
  "within",
  "$",
  "ish",
  "k",
);

const units = fc.constantFrom(
  "gb",
  "gb ram",
  "tb",
  "tb ssd",
  "inch",
  '"',
  "%",
  "% battery",
  "dollars",
  "usd",
  "k",
  "km",
  "miles of leeds",
  "cycles",
  "hours",
  "years",
  "cores",
  "ish",
  "or more",
  "th gen",
  "hz",
);

export const sentence = fc
  .array(
    fc.oneof(
      words,
      modifiers,
      fc.tuple(number, units).map((both) => both.join(" ")),
      fc.tuple(fc.constantFrom("$", "-", "", "< "), number).map((both) => both.join("")),
      fc.tuple(words, oddCharacter).map((both) => both.reverse().join("")),
      fc.tuple(oddCharacter, fc.integer({ min: 1, max: 200 })).map(([one, n]) => one.repeat(n)),
      trickyText,
    ),
    { minLength: 1, maxLength: 14 },
  )
  .chain((parts) => fc.constantFrom(" ", " ", " ", "").map((space) => parts.join(space)))
  .map((text) => text.toWellFormed().slice(0, 200));
