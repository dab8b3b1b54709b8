import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maxMessageLength } from "#contract/messages.ts";
import contacts from "./fixtures/contacts.json" with { type: "json" };
import evasive from "./fixtures/evasive.json" with { type: "json" };
import listingTexts from "./fixtures/listing-texts.json" with { type: "json" };
import ordinary from "./fixtures/ordinary.json" with { type: "json" };
import { hiddenContact, maskContacts } from "./mask-contacts.ts";

/** Whether masking leaves no address and fewer than seven digits. Words may remain. */
function isHidden(contact: string): boolean {
  const masked = maskContacts(contact);
  if (masked === null) return false;
  const left = masked.replaceAll(hiddenContact, " ").normalize("NFKD");
  return (left.match(/\p{Nd}/gu) ?? []).length < 7 && !/\w@\w|\w\.\w{2,}/.test(left);
}

function print(figure: string, messages: string[]): void {
  process.stdout.write(`${[figure, ...messages].join("\n  ")}\n`);
}

test("masking hides at least 98% of over 200 ways to write a phone number or an address", () => {
  expect(new Set(contacts).size).toBeGreaterThanOrEqual(200);
  const missed = contacts.filter((contact) => !isHidden(contact));
  print(`hidden: ${contacts.length - missed.length} of ${contacts.length}; missed:`, missed);
  expect(missed.length / contacts.length).toBeLessThanOrEqual(0.02);
});

test("masking changes fewer than 1% of 500 ordinary messages", () => {
  expect(new Set(ordinary).size).toBe(500);
  const touched = ordinary.filter((message) => maskContacts(message) !== null);
  print(`changed: ${touched.length} of ${ordinary.length}:`, touched);
  expect(touched.length / ordinary.length).toBeLessThan(0.01);
});

test("masking hides every sample contact with an unusual host, separator, script or language", () => {
  expect(evasive.filter((contact) => !isHidden(contact))).toEqual([]);
});

test("masking leaves sample listing texts with prices, models, serials, dates, sizes and places unchanged", () => {
  expect(listingTexts.filter((text) => maskContacts(text) !== null)).toEqual([]);
});

test("masking leaves a price, date and time in the digits of any script unchanged", () => {
  // Arabic, Pao Karen, Eastern Pwo Karen and Ol Onal
  for (const zero of [0x660, 0x116d0, 0x116da, 0x1e5f1]) {
    const text = "I'd pay $450 on 2026-11-22, at 14:30".replaceAll(/\d/g, (digit) =>
      String.fromCodePoint(zero + Number(digit)),
    );
    expect(maskContacts(text)).toBeNull();
  }
});

/** An ambiguous pattern could take very long to match many repetitions of one of these. */
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

function mask(text: string): void {
  runInContext(`maskContacts(${JSON.stringify(text)})`, context, { timeout: 10_000 });
}

test("masking a message that repeats one short piece takes at most ten seconds", () => {
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
