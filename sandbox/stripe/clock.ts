let aheadMs = 0;

/** In milliseconds since 1970. Tests can move the clock ahead (decisions/stripe). */
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

/** In the format of Stripe's API version 2. */
export function timestamp(seconds = unixSeconds()): string {
  return new Date(seconds * 1000).toISOString();
}
