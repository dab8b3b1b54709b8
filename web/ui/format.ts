// Prices: `formatPrice` in contract/price.ts.

const mediumDate = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

/** Medium date in UTC, the same on the server and in every browser: Mar 3, 2026. */
export function formatDate(iso: string): string {
  return mediumDate.format(new Date(iso));
}

const moment = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** Date and time in the reader's time zone: Mar 3, 2026, 2:05 PM. */
export function formatDateTime(iso: string): string {
  return moment.format(new Date(iso));
}

export function formatMonths(months: number): string {
  return counted(months, "month") || "Less than a month";
}

/** A count with its unit: 1 month, 18 months; empty for zero. */
export function counted(count: number, unit: string): string {
  if (count === 0) return "";
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

export function formatCappedCount(count: number): string {
  return count > 99 ? "99+" : String(count);
}
