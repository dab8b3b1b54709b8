const mediumDate = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

const shortDay = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/** A day of this year or the last as people read it: Mar 3. */
export function formatDay(iso: string): string {
  return shortDay.format(new Date(iso));
}

/** A date as people read it, the same on the server and in every browser: Mar 3, 2026. */
export function formatDate(iso: string): string {
  return mediumDate.format(new Date(iso));
}

const moment = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** A date and time as people read it where they are: Mar 3, 2026, 2:05 PM. */
export function formatDateTime(iso: string): string {
  return moment.format(new Date(iso));
}

/** A use duration, in months as the specification counts it: 18 months. */
export function formatMonths(months: number): string {
  return counted(months, "month") || "Less than a month";
}

/** What is left of a hold, in its largest unit: 23 hours. */
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

const ago = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/** How long ago, in its largest unit: just now, 5 hours ago, yesterday, 3 weeks ago. */
export function formatTimeAgo(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  const days = Math.floor(hours / 24);
  if (hours < 1) return "just now";
  if (days < 1) return ago.format(-hours, "hour");
  if (days < 14) return ago.format(-days, "day");
  if (days < 60) return ago.format(-Math.floor(days / 7), "week");
  return days < 730
    ? ago.format(-Math.floor(days / 30), "month")
    : ago.format(-Math.floor(days / 365), "year");
}
