import type { DealRecord } from "#contract/deal-records.ts";
import { eventName } from "#web/domain/deals/event-name.ts";
import { formatDateTime } from "#web/ui/format.ts";
import { UserText } from "#web/ui/UserText.tsx";

/** The audit log of a deal and its payments, oldest first. */
export function DealEvents({ events }: { events: DealRecord["events"] }) {
  return (
    <ol className="flex flex-col gap-2">
      {events.map(({ at, actor, verb, object }) => {
        const name = eventName({ verb, actor });
        return (
          <li key={`${at} ${verb} ${object}`} className="flex flex-wrap gap-x-3">
            <time dateTime={at} className="text-muted tabular-nums">
              {formatDateTime(at)}
            </time>
            <span>
              {actor !== null && <UserText>{actor}</UserText>}
              {actor !== null && (/^[A-Z]/.test(name) ? ": " : " ")}
              {name}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
