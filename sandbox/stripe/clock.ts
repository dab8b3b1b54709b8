let aheadMs = 0;

/** Returns milliseconds since 1970, by a clock that can be moved ahead (decisions/stripe). */
export function nowMs(): number {
  return Date.now() + aheadMs;
}

export function unixSeconds(): number {
  return Math.floor(nowMs() / 1000);
}

export function setClockAhead(milliseconds: number): void {
  aheadMs = milliseconds;
}

export function clockAheadMs(): number {
  return aheadMs;
}

/** Formats a time as in Stripe's API version 2. */
export function timestamp(seconds = unixSeconds()): string {
  return new Date(seconds * 1000).toISOString();
}
