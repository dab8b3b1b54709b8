import { expect, test } from "vitest";
import { dateInWords, monthsInWords, timeLeftInWords } from "./in-words.ts";

test("a date is the same day wherever it is read", () => {
  expect(dateInWords("2026-03-03T23:59:59.000Z")).toBe("Mar 3, 2026");
  expect(dateInWords("2026-03-04T00:00:00.000Z")).toBe("Mar 4, 2026");
});

test.each([
  [0, "Less than a month"],
  [1, "1 month"],
  [12, "1 year"],
  [18, "1 year 6 months"],
  [25, "2 years 1 month"],
])("%i months of use are said as %s", (months, words) => {
  expect(monthsInWords(months)).toBe(words);
});

test.each([
  [1, "1 minute"],
  [59 * 60_000, "59 minutes"],
  [60 * 60_000, "1 hour"],
  [47 * 3_600_000, "47 hours"],
  [48 * 3_600_000, "2 days"],
])("%i milliseconds left are said as %s", (left, words) => {
  expect(timeLeftInWords(left)).toBe(words);
});
