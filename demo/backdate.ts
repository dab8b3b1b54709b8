import type { Deps } from "../server/deps.ts";

/** The dependencies, with the clock fixed at `time`. */
export function depsAt(deps: Deps, time: Date): Deps {
  return { ...deps, clock: { now: () => time } };
}

/** A time `hours` before now. */
export function ago({ clock }: Deps, { hours }: { hours: number }): Date {
  return new Date(clock.now().getTime() - hours * 3_600_000);
}
