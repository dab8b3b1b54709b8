import { setTimeout as wait } from "node:timers/promises";
import type { Checks } from "./checks.ts";
import { type Attempt, isFailed, isRefused, type Requests } from "./requests.ts";

/** Kinds of requests that write. */
const writes = new Set(["save", "deal", "list"]);

/** So long without a failed request an outage is over, in milliseconds. */
const calmMs = 8_000;

/** What clients saw of a fault that began at `from`. */
export type Outage = {
  /** All requests until it was over. */
  attempts: Attempt[];
  failed: Attempt[];
  /** From the fault until writes were acknowledged again, for good. */
  secondsToWrite: number;
};

/** Waits until requests fail no more, after a fault that began at `from` (of `performance.now()`). */
export async function untilOver(
  requests: Requests,
  from: number,
  mostSeconds = 120,
): Promise<Outage> {
  for (;;) {
    await wait(500);
    const now = performance.now();
    const attempts = requests.between(from, now);
    const failed = attempts.filter(isFailed);
    const lastFailure = Math.max(from, ...failed.map(({ endedAt }) => endedAt));
    const secondsToWrite = secondsUntilWritten(attempts, from, lastFailure);
    const isOver = now - Math.max(lastFailure, from) > calmMs && isWritten(attempts, now);
    if (isOver || now - from > mostSeconds * 1_000)
      return { attempts, failed, secondsToWrite: secondsToWrite ?? Number.POSITIVE_INFINITY };
  }
}

/** Whether writes are acknowledged now: while the database is away requests wait, and none fails for seconds. */
function isWritten(attempts: Attempt[], now: number): boolean {
  return attempts.some((attempt) => isAcknowledged(attempt) && attempt.endedAt > now - 2_000);
}

function isAcknowledged({ kind, status }: Attempt): boolean {
  return writes.has(kind) && status >= 200 && status < 300;
}

/**
 * The end of the longest time in which no write was acknowledged, or the first acknowledged write after the last
 * failed request, whichever is later.
 */
function secondsUntilWritten(attempts: Attempt[], from: number, lastFailure: number) {
  const acknowledged = attempts
    .filter(isAcknowledged)
    .map(({ endedAt }) => endedAt)
    .toSorted((a, b) => a - b);
  let gapEnd = from;
  let longest = 0;
  for (const [index, at] of acknowledged.entries()) {
    const gap = at - (acknowledged[index - 1] ?? from);
    if (gap > longest) [longest, gapEnd] = [gap, at];
  }
  const afterFailure = acknowledged.find((at) => at > lastFailure);
  if (afterFailure === undefined) return undefined;
  const end = lastFailure > from ? Math.max(gapEnd, afterFailure) : gapEnd;
  return (end - from) / 1_000;
}

/** All that failed has to say "not now, try again". */
export function expectRefusals(checks: Checks, failed: Attempt[]): void {
  const others = failed.filter((attempt) => !isRefused(attempt));
  const what = `${failed.length} requests failed, ${failed.length - others.length} of them 503 with Retry-After`;
  checks.expect(others.length === 0, what, others);
}
