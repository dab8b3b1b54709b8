import { expect, test } from "vitest";
import { newestTime } from "./missed-events.ts";

const at = (ms: number) => ({ createdAt: new Date(ms) });

test("newestTime finds the newest time in a very long list", () => {
  const listed = Array.from({ length: 500_000 }, (_, index) => at(500_000 - index));
  expect(newestTime(listed, undefined)).toEqual(new Date(500_000));
});

test("newestTime never returns a time before the previous time", () => {
  expect(newestTime([at(1)], new Date(2))).toEqual(new Date(2));
  expect(newestTime([], null)).toEqual(new Date(0));
});
