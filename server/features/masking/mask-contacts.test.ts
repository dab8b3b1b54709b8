import { expect, test } from "vitest";
import contacts from "./fixtures/contacts.json" with { type: "json" };
import evasive from "./fixtures/evasive.json" with { type: "json" };
import listingTexts from "./fixtures/listing-texts.json" with { type: "json" };
import ordinary from "./fixtures/ordinary.json" with { type: "json" };
import { hiddenContact, maskContacts } from "./mask-contacts.ts";

/** Words may remain, but no address and fewer than seven digits. */
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

test("masking hides every contact with an unusual host, separator, script or language", () => {
  expect(evasive.filter((contact) => !isHidden(contact))).toEqual([]);
});

test("masking leaves prices, models, serials, dates, sizes and places in listing texts unchanged", () => {
  expect(listingTexts.filter((text) => maskContacts(text) !== null)).toEqual([]);
});
