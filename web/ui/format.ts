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

/** Use duration: 18 months. */
export function formatMonths(months: number): string {
  return counted(months, "month") || "Less than a month";
}

/** Remaining time in its largest unit: 23 hours. */
export function formatTimeLeft(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes < 60) return counted(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? counted(hours, "hour") : counted(Math.floor(hours / 24), "day");
}

function counted(count: number, unit: string): string {
  if (count === 0) return "";
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
