import { expect, test } from "vitest";
import { informationPages } from "./information-pages.ts";

test("no information page names a sign-in provider, because the operator chooses them", () => {
  expect(JSON.stringify(informationPages)).not.toMatch(/Google/);
});
