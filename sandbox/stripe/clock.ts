let aheadMs = 0;

/** The sandbox's time in milliseconds since 1970. Tests can move it ahead (decisions/stripe). */
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

/** A time in Stripe's API version 2 format. */
export function timestamp(seconds = unixSeconds()): string {
  return new Date(seconds * 1000).toISOString();
}
