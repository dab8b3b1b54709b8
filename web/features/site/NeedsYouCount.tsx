import { useQuery } from "@tanstack/react-query";
import { listNeedsYou } from "#contract/needs-you.ts";
import { queryOf } from "#web/api/api.ts";
import "./unread.css";

const pollingMs = 60_000;

/** The number of things that need an admin, on the menu entry; renders nothing for zero. */
export function NeedsYouCount() {
  const { data } = useQuery({
    ...queryOf(listNeedsYou, {}),
    ...{ staleTime: pollingMs, refetchInterval: pollingMs },
  });
  if (!data || data.length === 0) return null;
  return (
    <span className="unread-badge">
      <span className="sr-only">, </span>
      {data.length > 99 ? "99+" : data.length}
    </span>
  );
}
