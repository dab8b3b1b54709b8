import fc from "fast-check";
import { inject } from "vitest";

/** The length of a run, and the seed of its random choices. */
export type RunOptions = { seed: number; minutes: number };

declare module "vitest" {
  interface ProvidedContext {
    effort: RunOptions | undefined;
  }
}

/** In `npm test`. */
const brief: RunOptions = { seed: 1, minutes: 0 };

/** This run's options; `long` for `npm run faults -- --minutes`. */
export function runOptions(): RunOptions & { long: boolean } {
  const given = inject("effort") ?? brief;
  return { ...given, long: given.minutes > 0 };
}

/** Prints a run's counts and measurements. */
export function logResult(line: string): void {
  console.log(`[faults, seed ${runOptions().seed}] ${line}`);
}

/** All items in the long run, otherwise at most this many, chosen by the seed. */
export function sample<T>(all: T[], most: number): T[] {
  const { seed, long } = runOptions();
  if (long || all.length <= most) return all;
  const some = fc.shuffledSubarray(all, { minLength: most, maxLength: most });
  return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
}
