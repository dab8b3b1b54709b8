import fc from "fast-check";
import { inject } from "vitest";

/** How hard to try: briefly in `npm test`, or for minutes; the same seed makes the same choices. */
export type Effort = { seed: number; minutes: number };

declare module "vitest" {
  interface ProvidedContext {
    effort: Effort | undefined;
  }
}

/** That of `npm test`. */
const brief: Effort = { seed: 1, minutes: 0 };

/** The effort of this run, and whether it is the long one. */
export function effort(): Effort & { long: boolean } {
  const given = inject("effort") ?? brief;
  return { ...given, long: given.minutes > 0 };
}

/** Prints what a run has done and seen, so that a figure is never quoted from memory. */
export function say(line: string): void {
  console.log(`[faults, seed ${effort().seed}] ${line}`);
}

/** All of them in the long run, otherwise as many as there is time for, chosen by the seed. */
export function choose<T>(all: T[], most: number): T[] {
  const { seed, long } = effort();
  if (long || all.length <= most) return all;
  const some = fc.shuffledSubarray(all, { minLength: most, maxLength: most });
  return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
}
