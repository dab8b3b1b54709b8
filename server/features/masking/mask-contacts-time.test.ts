import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maxMessageLength } from "#contract/messages.ts";
import { maskContacts } from "./mask-contacts.ts";

/** An ambiguous pattern would take very long to match many repetitions of one of these. */
const pieces = [
  "a-dot-",
  "a_dot_",
  "a dot ",
  "a.at.",
  "a-at-",
  "a_at_",
  "at ",
  "a.",
  "a.a.",
  "a@",
  "a@a.",
  "@",
  "a-",
  "a_",
  "(",
  "(at)",
  "[dot]",
  "1,",
  "1, ",
  "1 ",
  "1-",
  "1.",
  "1/",
  "1 of ",
  "1.1,",
  "(1)",
  "+1",
  "$1",
  "$1 ",
  "2019,",
  "2019-",
  "8/",
  "256,",
  "256 ",
  "v1.",
  "1920x",
  "one ",
  "double ",
  "one",
  "dash ",
  "o1",
  "0",
  "a",
  " ",
  "\n",
  "www.",
  "www,",
  "http:",
  "fb ",
  "fb id ",
  "xn--",
  "book ",
  "a b ",
  ". ",
  "ﷺ",
  "ﷺ.",
];

const repeated = (piece: string) => piece.repeat(maxMessageLength).slice(0, maxMessageLength);

const context = createContext({ maskContacts });

/** Masking usually takes milliseconds. */
function mask(text: string): void {
  runInContext(`maskContacts(${JSON.stringify(text)})`, context, { timeout: 10_000 });
}

test("masking a message that repeats an ambiguous piece takes at most ten seconds", () => {
  for (const piece of pieces)
    for (const end of ["", "!"]) {
      const text = repeated(piece).slice(0, maxMessageLength - 1) + end;
      expect(() => mask(text), piece).not.toThrow();
    }
});

test("masking a long mix of separators, digits and words takes at most ten seconds", () => {
  const mixed = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(mixed, (some) => mask(repeated(some.join("")))),
    { numRuns: 40 },
  );
});
