import { useQuery } from "@tanstack/react-query";
import { type NeedsYou, readNeedsYou } from "#contract/needs-you.ts";
import { queryOf } from "#web/api/api.ts";
import "./unread.css";

const pollingMs = 60_000;

type QueueCountProps = { count: (found: NeedsYou) => number };

/** The number of things that wait for an admin, on a menu entry; renders nothing for zero. */
export function QueueCount({ count: countIn }: QueueCountProps) {
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
