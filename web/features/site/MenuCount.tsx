import { useQuery } from "@tanstack/react-query";
import { readMessageInbox } from "#contract/messages.ts";
import { type NeedsYou, readNeedsYou } from "#contract/needs-you.ts";
import { queryOf } from "#web/api/api.ts";
import { useLiveChanges } from "#web/api/live-changes.ts";
import { paths } from "#web/paths.ts";
import { formatCappedCount } from "#web/ui/format-dates-and-counts.ts";
import "./menus.css";

const pollingMs = 60_000;

/** Counts the items awaiting an admin on each path's page and the pages below it. */
const counts: Record<string, (found: NeedsYou) => number> = {
  [paths.reportedItems()]: ({ queues }) => queues.reports + queues.messages + queues.reviews,
  [paths.listingsToCheck()]: ({ queues }) => queues.listings + queues.invitations,
  [paths.complaints()]: ({ items }) => items.filter(({ reason }) => reason === "complaint").length,
  [paths.needsYou()]: ({ items }) => items.length,
  [paths.health()]: ({ queues }) => queues.problems,
};

export default function MenuCount({ to }: { to: string }) {
  if (to === paths.messages()) return <UnreadMessages />;
  const count = counts[to];
  return count ? <QueueCount countIn={count} /> : null;
}

function UnreadMessages() {
  const isLive = useLiveChanges() === false;
  const { data } = useQuery({
    ...queryOf(readMessageInbox, {}),
    staleTime: pollingMs,
    refetchInterval: isLive ? false : pollingMs,
  });
  return <Badge count={data?.unread} unit="unread" />;
}

function QueueCount({ countIn }: { countIn: (found: NeedsYou) => number }) {
  const { data } = useQuery({
    ...queryOf(readNeedsYou, {}),
    staleTime: pollingMs,
    refetchInterval: pollingMs,
  });
  return <Badge count={data && countIn(data)} />;
}

function Badge({ count, unit }: { count: number | undefined; unit?: string }) {
  if (!count) return null;
  return (
    <span className="unread-badge">
      <span className="sr-only">, </span>
      {formatCappedCount(count)}
      {unit && <span className="sr-only"> {unit}</span>}
    </span>
  );
}
