/** Formats in the reader's time zone unless the options name one. */
function dateFormatter(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (iso) => {
    format ??= new Intl.DateTimeFormat("en-US", options);
    return format.format(new Date(iso));
  };
}

/** Medium date in UTC, for pages rendered on the server: Mar 3, 2026. */
export const formatDate = dateFormatter({ dateStyle: "medium", timeZone: "UTC" });

/** Date and time in the reader's time zone: Mar 3, 2026, 2:05 PM. */
export const formatDateTime = dateFormatter({ dateStyle: "medium", timeStyle: "short" });

/** Time in the reader's time zone: 2:05 PM. */
export const formatTime = dateFormatter({ timeStyle: "short" });

/** Day in the reader's time zone: Tue, Mar 3, 2026. */
export const formatFullDay = dateFormatter({
  weekday: "short",
  month: "short",
  day: "numeric",
  year: "numeric",
});

/** Day in the reader's time zone, without the year: Mar 3. */
export const formatLocalDay = dateFormatter({ month: "short", day: "numeric" });

/** Day in UTC, without the year: Mar 3. */
export const formatShortDay = dateFormatter({ month: "short", day: "numeric", timeZone: "UTC" });

/** Month and year in UTC: March 2026. */
export const formatMonthAndYear = dateFormatter({
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

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
