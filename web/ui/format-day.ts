import { dateFormatter } from "./format.ts";

/** Time in the reader's time zone: 2:05 PM. */
export const formatTime = dateFormatter({ timeStyle: "short" });

/** Day in the reader's time zone: Tue, Mar 3, 2026. */
export const formatDay = dateFormatter({
  weekday: "short",
  month: "short",
  day: "numeric",
  year: "numeric",
});

/** Day in UTC, without the year: Mar 3. */
export const formatShortDay = dateFormatter({ month: "short", day: "numeric", timeZone: "UTC" });
