const hour = new Intl.DateTimeFormat("en-US", { timeStyle: "short" });

/** Time in the reader's time zone: 2:05 PM. */
export function formatTime(iso: string): string {
  return hour.format(new Date(iso));
}

const weekday = new Intl.DateTimeFormat("en-US", {
  weekday: "short",
  month: "short",
  day: "numeric",
  year: "numeric",
});

/** Day in the reader's time zone: Tue, Mar 3, 2026. */
export function formatDay(iso: string): string {
  return weekday.format(new Date(iso));
}

const shortDay = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/** Day in UTC, without the year: Mar 3. */
export function formatShortDay(iso: string): string {
  return shortDay.format(new Date(iso));
}
