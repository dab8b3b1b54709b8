const monthAndYear = new Intl.DateTimeFormat("en-US", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** In UTC: March 2026. */
export function formatMonthAndYear(iso: string): string {
  return monthAndYear.format(new Date(iso));
}
