import type { Deps } from "../../deps.ts";

type Terms = Pick<Deps, "clock" | "config">;

/** Money that was paid by then can't stay with us any longer (decision 0087). */
export function latestPayment({ clock, config }: Terms): Date {
  return new Date(clock.now().getTime() - config.settlement.latestMs);
}

/** Admins who heard by then of money that came back had the time to send it on. */
export function adminsHaveUntil({ clock, config }: Terms): Date {
  return new Date(clock.now().getTime() - config.settlement.leftoverMs);
}
