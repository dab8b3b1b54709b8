/**
 * Distances. The wire and the database have kilometres; shoppers read and write miles. This is the only place that
 * converts them.
 */
const kmPerMile = 1.609344;

/** Kilometres as whole miles, from 28 miles on as the nearest five: 50 km are 30 miles. */
export function toMiles(km: number): number {
  const miles = km / kmPerMile;
  return miles < 28 ? Math.round(miles) : 5 * Math.round(miles / 5);
}

/** Miles as whole kilometres. */
export function toKm(miles: number): number {
  return Math.round(miles * kmPerMile);
}

/** "1 mile", "30 miles". */
export function milesText(km: number): string {
  const miles = toMiles(km);
  return miles === 1 ? "1 mile" : `${miles} miles`;
}

/** How far around its town a search looks that doesn't say so, in kilometres. */
export const usualWithin = 50;

/** The distances to choose from, in miles; all differ in kilometres and are shown as they are here. */
export const milesChoices = [10, 25, 50, 100, 250] as const;
