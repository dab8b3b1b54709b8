import { expect, test } from "vitest";
import { secondsUntilWritten } from "./outage.ts";
import type { Attempt } from "./requests.ts";

const fault = 10_000;

function answered(status: number, times: number[]): Attempt[] {
  return times.map((endedAt) => ({
    kind: "save" as const,
    status,
    code: "",
    endedAt,
    startedAt: endedAt - 10,
    retryAfter: status === 503,
  }));
}

const each = (from: number, to: number, ms: number) =>
  Array.from({ length: Math.floor((to - from) / ms) }, (_, index) => from + index * ms);

test("without failures or long pauses, writes recover with the first write after the fault", () => {
  const attempts = answered(200, each(0, 20_000, 300));
  expect(secondsUntilWritten(attempts, fault)).toBeCloseTo(0.2);
});

test("after an unusually long pause without failures, writes recover when the pause ends", () => {
  const attempts = answered(200, [...each(0, 10_000, 300), ...each(32_900, 40_000, 300)]);
  expect(secondsUntilWritten(attempts, fault)).toBeCloseTo(22.9);
});

test("a pause after the fault is ignored unless it is longer than every pause before the fault", () => {
  const attempts = answered(200, [...each(0, 8_000, 300), ...each(9_800, 15_000, 300), 16_500]);
  expect(secondsUntilWritten(attempts, fault)).toBeCloseTo(0.1);
  const longer = answered(200, [...each(0, 15_000, 300), 16_500]);
  expect(secondsUntilWritten(longer, fault)).toBeCloseTo(6.5);
});

test("writes between failures don't count as a recovery", () => {
  const attempts = [...answered(200, each(0, 20_000, 300)), ...answered(503, [10_500, 13_250])];
  expect(secondsUntilWritten(attempts, fault)).toBeCloseTo(3.5);
});

test("there is no recovery without a write after the last failure", () => {
  const attempts = [...answered(200, each(0, 10_000, 300)), ...answered(503, [12_000])];
  expect(secondsUntilWritten(attempts, fault)).toBe(undefined);
});
