import fc from "fast-check";
import { inject } from "vitest";

export type RunOptions = { seed: number; minutes: number };

declare module "vitest" {
  interface ProvidedContext {
    effort: RunOptions | undefined;
  }
}

/** For `npm test`. */
const brief: RunOptions = { seed: 1, minutes: 0 };

/** `long` is set by `npm run faults -- --minutes`. */
export function runOptions(): RunOptions & { long: boolean } {
  const given = inject("effort") ?? brief;
  return { ...given, long: given.minutes > 0 };
}

/** Whether a suite may continue. `--minutes` count from this call; `npm test` has no limit. */
export function timeBudget(signal?: AbortSignal): () => boolean {
  const { long, minutes } = runOptions();
  const end = Date.now() + minutes * 60_000;
  return () => !signal?.aborted && (!long || Date.now() < end);
}

/** Only `--minutes` shrinks failures, because shrinking takes so long that a test seems to hang. */
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

export function logResult(line: string): void {
  console.log(`[faults, seed ${runOptions().seed}] ${line}`);
}

/** Up to `most` items, chosen by the seed. With `--minutes`, all items. */
export function sample<T>(all: T[], most: number): T[] {
  const { seed, long } = runOptions();
  if (long || all.length <= most) return all;
  const some = fc.shuffledSubarray(all, { minLength: most, maxLength: most });
  return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
}
