import { clockAheadMs, setClockAhead } from "./clock.ts";
import { runPayouts } from "./payouts.ts";
import type { Store } from "./store.ts";

const setting = "clock_ahead_ms";
const hourMs = 60 * 60 * 1000;

export function restoreClock(store: Store): void {
  setClockAhead(store.readSetting(setting));
}

/** Advances the clock hour by hour, so that events in between happen in order. */
export function advanceClock(store: Store, seconds: number): void {
  const until = clockAheadMs() + seconds * 1000;
  for (let at = clockAheadMs(); at < until; ) {
    at = Math.min(at + hourMs, until);
    setClockAhead(at);
    runPayouts(store);
  }
  store.writeSetting(setting, until);
}
