import type { Clock } from "../clock.ts";

/** Stands still until a test advances it. */
export type TestClock = Clock & { advance(minutes: number): void };

export function testClock(start = new Date()): TestClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance(minutes) {
      now += minutes * 60_000;
    },
  };
}
