import { dateFormatter } from "./format.ts";

/** Month and year in UTC: March 2026. */
export const formatMonthAndYear = dateFormatter({
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
