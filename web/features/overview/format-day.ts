const shortDay = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/** Short date without the year: Mar 3. */
export function formatDay(iso: string): string {
  return shortDay.format(new Date(iso));
}
