import { useQuery } from "@tanstack/react-query";
import { readMessageInbox } from "#contract/messages.ts";
import { queryOf } from "#web/api/api.ts";
import { useLiveChanges } from "#web/api/live-changes.ts";
import { formatCappedCount } from "#web/ui/format.ts";
import "./unread.css";

/** The polling interval while there is no event stream. */
const pollingMs = 60_000;

export function UnreadMessages() {
  const isLive = useLiveChanges() === false;
  const { data } = useQuery({
    ...queryOf(readMessageInbox, {}),
    staleTime: pollingMs,
    refetchInterval: isLive ? false : pollingMs,
  });
  const unread = data?.unread ?? 0;
  if (unread === 0) return null;
  return (
    <span className="unread-badge">
      <span className="sr-only">, </span>
      {formatCappedCount(unread)}
      <span className="sr-only"> unread</span>
    </span>
  );
}
