import { setTimeout as wait } from "node:timers/promises";
import type { Checks } from "./checks.ts";
import type { Load } from "./load.ts";
import { type Attempt, isDone, isFailed, isRefused, type Kind, type Requests } from "./requests.ts";

/**
 * Waits until the outage is over. Expects that until then requests fail only as refusals, and that
 * writes succeed again within `seconds` of the fault at `from` (`performance.now()`).
 */
export async function expectRecovery(
  { requests }: Load,
  checks: Checks,
  { from, seconds = Number.POSITIVE_INFINITY }: { from: number; seconds?: number },
): Promise<void> {
  const { failed, secondsToWrite } = await untilOver(requests, from);
  if (seconds < Number.POSITIVE_INFINITY)
    checks.expect(
      secondsToWrite < seconds,
      `writes again after ${secondsToWrite.toFixed(1)} s, less than ${seconds}`,
    );
  expectRefusals(checks, failed);
}

/** An outage is over after this long without a failed request, if writes succeed. */
const calmMs = 8_000;
const maxSeconds = 120;

/** Waits until the outage is over, for at most `maxSeconds`. */
async function untilOver(requests: Requests, from: number) {
  for (;;) {
    await wait(500);
    const now = performance.now();
    const attempts = requests.between(from, now);
    const failed = attempts.filter(isFailed);
    const lastFailure = Math.max(from, ...failed.map(({ endedAt }) => endedAt));
    const secondsToWrite = secondsUntilWritten(requests.between(from - calmMs, now), from);
    const isOver = now - Math.max(lastFailure, from) > calmMs && isWritten(attempts, now);
    if (isOver || now - from > maxSeconds * 1_000)
      return { failed, secondsToWrite: secondsToWrite ?? Number.POSITIVE_INFINITY };
  }
}

/** Whether a write has just succeeded. A lack of failures proves nothing, because requests wait. */
function isWritten(attempts: Attempt[], now: number): boolean {
  return attempts.some((attempt) => isAcknowledged(attempt) && attempt.endedAt > now - 2_000);
}

export function expectRefusals(checks: Checks, failed: Attempt[]): void {
  const others = failed.filter((attempt) => !isRefused(attempt));
  const what = `${failed.length} requests failed, ${failed.length - others.length} of them 503 with Retry-After`;
  checks.expect(others.length === 0, what, others);
}

const writes = new Set<Kind>(["save", "hold", "deal", "list"]);

function isAcknowledged(attempt: Attempt): boolean {
  return writes.has(attempt.kind) && isDone(attempt);
}

/** Even without a fault, a pause between two writes can be this long. */
const shortPauseMs = 1_000;

/**
 * Returns the seconds from the fault to the first write after the last failure, or to the end of
 * the last long pause, if that is later. A long pause exceeds a second and all pauses before the
 * fault.
 */
export function secondsUntilWritten(attempts: Attempt[], from: number): number | undefined {
  const acknowledged = attempts
    .filter(isAcknowledged)
    .map(({ endedAt }) => endedAt)
    .toSorted((a, b) => a - b);
  const pauses = acknowledged.slice(1).map((end, index) => {
    const start = acknowledged[index] ?? end;
    return { end, ms: end - start };
  });
  const before = pauses.filter(({ end }) => end <= from);
  const usual = Math.max(shortPauseMs, ...before.map(({ ms }) => ms));
  const long = pauses.filter(({ end, ms }) => end > from && ms > usual);
  const failures = attempts.filter((attempt) => isFailed(attempt) && attempt.endedAt > from);
  const lastFailure = Math.max(from, ...failures.map(({ endedAt }) => endedAt));
  const end = acknowledged.find((at) => at > lastFailure);
  if (end === undefined) return undefined;
  return (Math.max(end, ...long.map((pause) => pause.end)) - from) / 1_000;
}
