import { readFileSync } from "node:fs";
import fc from "fast-check";
import { trickyText } from "./schema-arbitraries.ts";

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

const labelled: Record<string, { text: string }[]> = JSON.parse(
  readFileSync(new URL("../../lab/relevance/labelled.json", import.meta.url), "utf8"),
);

/** Draws from the words of hand-written searches, the frequent ones more often. */
const words = fc.constantFrom(
  ...Object.values(labelled).flatMap((list) => list.flatMap(({ text }) => text.split(" "))),
);

export const sentence = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: words },
      fc.tuple(number, words).map((both) => both.join(" ")),
      fc.tuple(fc.constantFrom("$", "-", "", "< "), number).map((both) => both.join("")),
      fc.tuple(words, oddCharacter).map((both) => both.reverse().join("")),
      fc.tuple(oddCharacter, fc.integer({ min: 1, max: 200 })).map(([one, n]) => one.repeat(n)),
      trickyText,
    ),
    { minLength: 1, maxLength: 14 },
  )
  .chain((parts) => fc.constantFrom(" ", " ", " ", "").map((space) => parts.join(space)))
  .map((text) => text.toWellFormed().slice(0, 200));
