import type { Person } from "#server/testing/people.ts";

/** Unique to the seller, for listings. */
export function mobileOf({ id }: Person): string {
  return `555${Number.parseInt(id.slice(-8), 16)}`;
}

/** Unique to the buyer, for bookings, reports and payments. */
export function phoneOf({ id }: Person): string {
  return `777${Number.parseInt(id.slice(-8), 16)}`;
}
