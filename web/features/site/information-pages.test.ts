import { expect, test } from "vitest";
import { informationTitles } from "#contract/information.ts";
import { dealPages } from "./deal-pages.ts";
import { informationPages } from "./information-pages.ts";

test("no information page names a sign-in provider, because the operator chooses them", () => {
  expect(JSON.stringify([informationPages, dealPages])).not.toMatch(/Google/);
});

test("each title in the footer has a page, and each page a title", () => {
  const titled = Object.values(informationTitles).flatMap((titles) => Object.keys(titles));
  const written = [...Object.keys(informationPages), ...Object.keys(dealPages)];
  expect(written.toSorted()).toEqual(titled.toSorted());
});

test("no page calls the money that is kept an escrow", () => {
  expect(JSON.stringify([informationPages, dealPages])).not.toMatch(/escrow/i);
});
