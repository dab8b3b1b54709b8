import type { Deps } from "../server/deps.ts";

/** A copy of `deps` whose clock always returns `time`. */
export function depsAt(deps: Deps, time: Date): Deps {
  return { ...deps, clock: { now: () => time } };
}

/** The time `hours` before now. */
export function ago({ clock }: Deps, { hours }: { hours: number }): Date {
  return new Date(clock.now().getTime() - hours * 3_600_000);
}
