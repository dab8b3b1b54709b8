/** The API and the database use kilometers; pages use miles. */
const kmPerMile = 1.609344;

/** Rounds to 1 mile, or to 5 miles from 28 miles up: 50 km is 30 miles. */
export function toMiles(km: number): number {
  const miles = km / kmPerMile;
  return miles < 28 ? Math.round(miles) : 5 * Math.round(miles / 5);
}

export function toKm(miles: number): number {
  return Math.round(miles * kmPerMile);
}

export function milesText(km: number): string {
  const miles = toMiles(km);
  return miles === 1 ? "1 mile" : `${miles} miles`;
}

/** Default search radius around a town, in kilometers. */
export const usualWithin = 50;

/** In miles. Each radius converts to kilometers and back exactly. */
export const milesChoices = [10, 25, 50, 100, 250] as const;
