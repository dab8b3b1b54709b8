import { formatDate, formatTimeAgo } from "./format.ts";
import { useHydrated } from "./use-hydrated.ts";
import { useNow } from "./use-now.ts";

/** How long ago something was, with its date on hover. Only the browser knows: a page is kept as bytes. */
export function TimeAgo({ at, className = "" }: { at: string; className?: string }) {
  const isHydrated = useHydrated();
  const now = useNow();
  return (
    <time dateTime={at} title={formatDate(at)} className={`whitespace-nowrap ${className}`}>
      {isHydrated ? formatTimeAgo(now - Date.parse(at)) : ""}
    </time>
  );
}
