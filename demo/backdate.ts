import type { Deps } from "../server/deps.ts";

/** The same dependencies with a fixed clock. */
export function depsAt(deps: Deps, time: Date): Deps {
  return { ...deps, clock: { now: () => time } };
}

/** A time `hours` before now. */
export function ago({ clock }: Deps, { hours }: { hours: number }): Date {
  return new Date(clock.now().getTime() - hours * 3_600_000);
}
