const counts = new Intl.NumberFormat("en-US");

/** A count with separators, such as `1,234`. */
export function formatCount(count: number): string {
  return counts.format(count);
}
