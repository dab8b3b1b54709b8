/**
 * What a laptop costs less than when new, in dollars; 0 where it costs more, or so much less (over 95 %)
 * that one of the two prices must be a slip.
 */
export function savings({ resale, original }: { resale: number; original: number }): number {
  const isPlausible = original > resale && original <= resale * 20;
  return isPlausible ? original - resale : 0;
}
