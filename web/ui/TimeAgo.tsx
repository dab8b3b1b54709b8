import { formatDate } from "./format.ts";
import { formatTimeAgo } from "./format-time-ago.ts";
import { useHydrated } from "./use-hydrated.ts";
import { useNow } from "./use-now.ts";

/** A relative time with the date on hover. Rendered only in browsers, because pages are cached. */
export function TimeAgo({ at }: { at: string }) {
  const isHydrated = useHydrated();
  const now = useNow();
  return (
    <time dateTime={at} title={formatDate(at)}>
      {isHydrated ? formatTimeAgo(now - Date.parse(at)) : ""}
    </time>
  );
}
