import type { Deps } from "../server/deps.ts";

export function depsAt(deps: Deps, time: Date): Deps {
  return { ...deps, clock: { now: () => time } };
}

export function ago({ clock }: Deps, { hours }: { hours: number }): Date {
  return new Date(clock.now().getTime() - hours * 3_600_000);
}
