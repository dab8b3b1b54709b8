import type { Deps } from "../server/deps.ts";

/** The program as it was at another time. */
export function at(deps: Deps, time: Date): Deps {
  return { ...deps, clock: { now: () => time } };
}

/** A time that many hours before now. */
export function ago({ clock }: Deps, { hours }: { hours: number }): Date {
  return new Date(clock.now().getTime() - hours * 3_600_000);
}
