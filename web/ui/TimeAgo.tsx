import { formatDate } from "./format-dates-and-counts.ts";
import { useNow } from "./TimeLeft.tsx";
import { useHydrated } from "./use-hydrated.ts";

/** The text is rendered only in browsers, because pages are cached. */
export function TimeAgo({ at }: { at: string }) {
  const isHydrated = useHydrated();
  const now = useNow();
  return (
    <time dateTime={at} title={formatDate(at)}>
      {isHydrated ? formatTimeAgo(now - Date.parse(at)) : ""}
    </time>
  );
}

const ago = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/** Elapsed time in one unit: just now, 5 hours ago, yesterday, 3 weeks ago. */
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
