const minute = 60_000;

/** An outcome that is not known yet is looked up for the first time after this. */
export const firstLookMs = minute;

/** A call that the provider has not answered can't arrive there later than this. */
const latestArrivalMs = 10 * minute;

type Call = { intended_at: Date; last_called_at: Date | null };

/** Whether the same call, with the same key, may be made once more. The provider forgets keys after a day. */
export function mayRepeat({ intended_at }: Call, now: Date): boolean {
  return now.getTime() - intended_at.getTime() < latestArrivalMs;
}

/** Whether no call of an attempt can still arrive: one that the provider doesn't know was never made. */
export function isAbsent({ intended_at, last_called_at }: Call, now: Date): boolean {
  const last = last_called_at ?? intended_at;
  return now.getTime() - last.getTime() >= latestArrivalMs;
}
