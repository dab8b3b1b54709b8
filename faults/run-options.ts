import fc from "fast-check";
import { inject } from "vitest";
import { httpTimeouts } from "#server/settings/timeouts.ts";

/** The length of a run, and the seed of its random choices. */
export type RunOptions = { seed: number; minutes: number };

declare module "vitest" {
  interface ProvidedContext {
    effort: RunOptions | undefined;
  }
}

/** The defaults, which `npm test` uses. */
const brief: RunOptions = { seed: 1, minutes: 0 };

/** This run's options. `long` is set by `npm run faults -- --minutes`. */
export function runOptions(): RunOptions & { long: boolean } {
  const given = inject("effort") ?? brief;
  return { ...given, long: given.minutes > 0 };
}

/**
 * Returns a function that reports whether a suite may continue. With `--minutes`, the time limit
 * starts at this call. `npm test` has no time limit. `signal` is aborted when the run is stopped.
 */
export function timeBudget(signal?: AbortSignal): () => boolean {
  const { long, minutes } = runOptions();
  const end = Date.now() + minutes * 60_000;
  return () => !signal?.aborted && (!long || Date.now() < end);
}

/**
 * Options for `fc.assert`. `npm test` makes `numRuns` runs and stops at the first failure. Only a
 * run with `--minutes` looks for a shorter failing history. That search repeats the history many
 * times, so the test would seem to hang.
 */
export function propertyOptions(numRuns: number) {
  const { seed, long, minutes } = runOptions();
  if (!long) return { seed, numRuns, endOnFailure: true };
  return { seed, numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000 };
}

/** In `npm test`, a property test must end within five minutes. */
export function propertyTimeout(): number {
  const { long, minutes } = runOptions();
  return long ? (minutes + 60) * 60_000 : 300_000;
}

/**
 * HTTP settings for a shop whose clients run in the same process. If the process stalls on a busy
 * machine, timers for slow and idle connections fire before the process reads data that has already
 * arrived. The shop would then close these connections without a response.
 */
export const patientHttp = {
  httpTimeouts: {
    ...httpTimeouts,
    headers: 120_000,
    body: 120_000,
    afterResponse: 120_000,
    idle: 120_000,
    silence: 120_000,
  },
};

/** Prints a run's counts and measurements. */
export function logResult(line: string): void {
  console.log(`[faults, seed ${runOptions().seed}] ${line}`);
}

/** Returns up to `most` items, chosen by the seed. With `--minutes`, returns all items. */
export function sample<T>(all: T[], most: number): T[] {
  const { seed, long } = runOptions();
  if (long || all.length <= most) return all;
  const some = fc.shuffledSubarray(all, { minLength: most, maxLength: most });
  return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
}
