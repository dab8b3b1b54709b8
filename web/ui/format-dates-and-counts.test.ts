import { expect, test, vi } from "vitest";
import { formatCappedCount, formatMonths, formatShortDay } from "./format-dates-and-counts.ts";
import { formatTimeAgo } from "./TimeAgo.tsx";
import { formatTimeLeft } from "./TimeLeft.tsx";

test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
  "a date is formatted in UTC, even in the time zone %s",
  async (zone) => {
    vi.stubEnv("TZ", zone).resetModules();
    const { formatDate } = await import("./format-dates-and-counts.ts");
    expect(formatDate("2026-03-03T23:59:59.000Z")).toBe("Mar 3, 2026");
    expect(formatDate("2026-03-04T00:00:00.000Z")).toBe("Mar 4, 2026");
    vi.unstubAllEnvs();
  },
);

test("a day in a chart is formatted without its year", () => {
  expect(formatShortDay("2026-03-02")).toBe("Mar 2");
});

test.each([
  [0, "Less than a month"],
  [1, "1 month"],
  [12, "12 months"],
  [25, "25 months"],
])("%i months of use are formatted as %s", (months, words) => {
  expect(formatMonths(months)).toBe(words);
});

test.each([
  [1, "1 minute"],
  [59 * 60_000, "59 minutes"],
  [60 * 60_000, "1 hour"],
  [47 * 3_600_000, "47 hours"],
  [48 * 3_600_000, "2 days"],
])("a remaining time of %i milliseconds is formatted as %s", (left, words) => {
  expect(formatTimeLeft(left)).toBe(words);
});

test("a count above 99 is formatted as 99+", () => {
  expect([1, 99, 100].map(formatCappedCount)).toEqual(["1", "99", "99+"]);
});

const hour = 3_600_000;

test.each([
  [-1000, "just now"],
  [hour - 1, "just now"],
  [hour, "1 hour ago"],
  [23 * hour, "23 hours ago"],
  [24 * hour, "yesterday"],
  [13 * 24 * hour, "13 days ago"],
  [14 * 24 * hour, "2 weeks ago"],
  [60 * 24 * hour, "2 months ago"],
  [729 * 24 * hour, "24 months ago"],
  [730 * 24 * hour, "2 years ago"],
])("a time %i milliseconds ago is formatted as %s", (passed, words) => {
  expect(formatTimeAgo(passed)).toBe(words);
});
