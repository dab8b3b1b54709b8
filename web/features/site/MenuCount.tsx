import { useQuery } from "@tanstack/react-query";
import { type NeedsYou, readNeedsYou } from "#contract/needs-you.ts";
import { queryOf } from "#web/api/api.ts";
import { UnreadMessages } from "./UnreadMessages.tsx";
import "./unread.css";

const pollingMs = 60_000;

/** Counts what waits for an admin on the page of a menu entry, and on the pages below it. */
const counts: Record<string, (found: NeedsYou) => number> = {
  "Reported Items": ({ queues }) => queues.reports + queues.messages + queues.reviews,
  "To check": ({ queues }) => queues.listings + queues.invitations,
  Complaints: ({ items }) => items.filter(({ reason }) => reason === "complaint").length,
  "Needs you": ({ items }) => items.length,
  Health: ({ queues }) => queues.problems,
};

/** The count on an entry of the side menu or the bar of shortcuts; most entries have none. */
export default function MenuCount({ of }: { of: string }) {
  if (of === "Messages") return <UnreadMessages />;
  const count = counts[of];
  return count ? <QueueCount count={count} /> : null;
}

type QueueCountProps = { count: (found: NeedsYou) => number };

/** The number of things that wait for an admin, on a menu entry; renders nothing for zero. */
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
      {count > 99 ? "99+" : count}
    </span>
  );
}
