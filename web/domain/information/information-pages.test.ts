import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterPayment, beforePayment } from "#contract/deal-texts.ts";
import { noFee } from "#contract/fee.ts";
import { informationTitles } from "#contract/page-paths.ts";
import { dealPages as dealPagesFor } from "./deal-pages.ts";
import { informationPages } from "./information-pages.ts";

const selling = { sellers: "everybody", approval: false } as const;
const dealPages = dealPagesFor({ fee: noFee, handoverDays: 14, complaintHours: 72, selling });

test("no information page mentions escrow, or Google, which not every shop offers", () => {
  expect(JSON.stringify([informationPages, dealPages])).not.toMatch(/Google|escrow/i);
});

test("every title in the footer has an information page, and every information page has a title", () => {
  const titled = Object.values(informationTitles).flatMap((titles) => Object.keys(titles));
  const written = [...Object.keys(informationPages), ...Object.keys(dealPages)];
  expect(written.toSorted()).toEqual(titled.toSorted());
});

test("the pages Jobs and Press kit have no built-in text", () => {
  for (const path of ["/jobs", "/press-kit"]) expect(informationPages[path]?.sections).toEqual({});
});

test("the information pages state this shop's fees and time limits", () => {
  const terms = { fee: { ...noFee, percent: 7 }, handoverDays: 9, complaintHours: 31, selling };
  const said = JSON.stringify(dealPagesFor(terms));
  for (const term of ["7 percent", "within 9 days", "31 hours"]) expect(said).toContain(term);
  expect(JSON.stringify(dealPages)).toContain("We take no share of the price.");
});

test("the page Selling mentions verification and approval only in shops that require them", () => {
  const terms = { fee: noFee, handoverDays: 14, complaintHours: 72 };
  const strict = { ...terms, selling: { sellers: "verified", approval: true } as const };
  const said = JSON.stringify(dealPagesFor(strict)["/selling"]);
  for (const rule of [/only verified sellers/i, /approve/]) {
    expect(said).toMatch(rule);
    expect(JSON.stringify(dealPages["/selling"])).not.toMatch(rule);
  }
});

const features = join(import.meta.dirname, "../../features");

/** Texts that small pages repeat, to avoid loading `contract/deal-texts.ts`. */
test.each([
  ["home/Slides.tsx", `${beforePayment.payWhenSure} ${beforePayment.moneyIsKept}`],
  ["bookings/OrderStatus.tsx", `Paid. ${afterPayment.lookItOver}`],
  ["products/DealStatus.tsx", `Paid. ${afterPayment.handItOver}`],
])("%s repeats a text from contract/deal-texts.ts word for word", async (file, sentence) => {
  expect(await readFile(join(features, file), "utf8")).toContain(`"${sentence}"`);
});
