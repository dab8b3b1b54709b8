import { useQuery } from "@tanstack/react-query";
import { type NeedsYou, readNeedsYou } from "#contract/needs-you.ts";
import { queryOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { formatCappedCount } from "#web/ui/format.ts";
import { UnreadMessages } from "./UnreadMessages.tsx";
import "./unread.css";

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
  return count ? <QueueCount count={count} /> : null;
}

type QueueCountProps = { count: (found: NeedsYou) => number };

function QueueCount({ count: countIn }: QueueCountProps) {
  const { data } = useQuery({
    ...queryOf(readNeedsYou, {}),
    staleTime: pollingMs,
    refetchInterval: pollingMs,
  });
  const count = data && countIn(data);
  if (!count) return null;
  return (
    <span className="unread-badge">
      <span className="sr-only">, </span>
      {formatCappedCount(count)}
    </span>
  );
}
