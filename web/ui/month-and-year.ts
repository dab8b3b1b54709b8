const monthAndYear = new Intl.DateTimeFormat("en-US", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** Month and year in UTC: March 2026. */
export function formatMonthAndYear(iso: string): string {
  return monthAndYear.format(new Date(iso));
}
