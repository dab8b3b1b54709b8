/** "November 24", by UTC: the reader's time zone is not known. */
export function formatDay(day: Date): string {
  return day.toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" });
}
