/**
 * The saving in dollars. 0 if there is none, or if it is over 95 %, where one of the prices must be a typo.
 */
export function savings({ resale, original }: { resale: number; original: number }): number {
  const isPlausible = original > resale && original <= resale * 20;
  return isPlausible ? original - resale : 0;
}
