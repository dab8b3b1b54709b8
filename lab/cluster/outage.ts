import { setTimeout as wait } from "node:timers/promises";
import type { Checks } from "./checks.ts";
import { isFailed, isRefused } from "./expected-answers.ts";
import type { Attempt, Requests } from "./requests.ts";
import { isAcknowledged, secondsUntilWritten } from "./writes.ts";

/** An outage is over after this long without a failed request. */
const calmMs = 8_000;

export type Outage = {
  /** All requests from the fault until the end of the outage. */
  attempts: Attempt[];
  failed: Attempt[];
  /** From the fault until writes were acknowledged without further failures. */
  secondsToWrite: number;
};

/** `from`: when the fault began (`performance.now()`). */
export async function untilOver(
  requests: Requests,
  from: number,
  maxSeconds = 120,
): Promise<Outage> {
  for (;;) {
    await wait(500);
    const now = performance.now();
    const attempts = requests.between(from, now);
    const failed = attempts.filter(isFailed);
    const lastFailure = Math.max(from, ...failed.map(({ endedAt }) => endedAt));
    const secondsToWrite = secondsUntilWritten(requests.between(from - calmMs, now), from);
    const isOver = now - Math.max(lastFailure, from) > calmMs && isWritten(attempts, now);
    if (isOver || now - from > maxSeconds * 1_000)
      return { attempts, failed, secondsToWrite: secondsToWrite ?? Number.POSITIVE_INFINITY };
  }
}

/** While the database is down, requests wait for seconds, so a lack of failures proves nothing. */
function isWritten(attempts: Attempt[], now: number): boolean {
  return attempts.some((attempt) => isAcknowledged(attempt) && attempt.endedAt > now - 2_000);
}

export function expectRefusals(checks: Checks, failed: Attempt[]): void {
  const others = failed.filter((attempt) => !isRefused(attempt));
  const what = `${failed.length} requests failed, ${failed.length - others.length} of them 503 with Retry-After`;
  checks.expect(others.length === 0, what, others);
}
