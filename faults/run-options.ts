import fc from "fast-check";
import { inject } from "vitest";

export type RunOptions = { seed: number; minutes: number };

declare module "vitest" {
  interface ProvidedContext {
    effort: RunOptions | undefined;
  }
}

const brief: RunOptions = { seed: 1, minutes: 0 };

/** `npm run faults -- --minutes` sets `long`. */
export function runOptions(): RunOptions & { long: boolean } {
  const given = inject("effort") ?? brief;
  return { ...given, long: given.minutes > 0 };
}

/** Returns a check for remaining time. `--minutes` count from this call. No limit in `npm test`. */
export function timeBudget(signal?: AbortSignal): () => boolean {
  const { long, minutes } = runOptions();
  const end = Date.now() + minutes * 60_000;
  return () => !signal?.aborted && (!long || Date.now() < end);
}

/** Returns fast-check's options. `numRuns` is for `npm test`, which skips the slow shrinking. */
export function propertyOptions(numRuns: number) {
  const { seed, long, minutes } = runOptions();
  if (!long) return { seed, numRuns, endOnFailure: true };
  return { seed, numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000 };
}

/** In milliseconds. Five minutes in `npm test`. */
export function propertyTimeout(): number {
  const { long, minutes } = runOptions();
  return long ? (minutes + 60) * 60_000 : 300_000;
}

export function logResult(line: string): void {
  console.log(`[faults, seed ${runOptions().seed}] ${line}`);
}

/** Returns up to `max` items, chosen by the seed. With `--minutes`, returns all items. */
export function sample<T>(all: T[], max: number): T[] {
  const { seed, long } = runOptions();
  if (long || all.length <= max) return all;
  const some = fc.shuffledSubarray(all, { minLength: max, maxLength: max });
  return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
}
