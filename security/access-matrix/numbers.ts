import type { Person } from "#server/testing/people.ts";

/** The phone number in a seller's listings, unique to them. */
export function mobileOf({ id }: Person): string {
  return `555${Number.parseInt(id.slice(-8), 16)}`;
}

/** The phone number in a buyer's bookings, reports and payments, unique to them. */
export function phoneOf({ id }: Person): string {
  return `777${Number.parseInt(id.slice(-8), 16)}`;
}
