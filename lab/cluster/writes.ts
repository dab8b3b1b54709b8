import { isDone, isFailed, type Kind } from "./expected-answers.ts";
import type { Attempt } from "./requests.ts";

const writes = new Set<Kind>(["save", "hold", "deal", "list"]);

export function isAcknowledged(attempt: Attempt): boolean {
  return writes.has(attempt.kind) && isDone(attempt);
}

/** Even without a fault, a pause between two writes can be this long. */
const shortPauseMs = 1_000;

/**
 * Until the first write after the last failure or the end of the last unusually long pause,
 * whichever is later. Such a pause exceeds a second and all pauses before the fault.
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
