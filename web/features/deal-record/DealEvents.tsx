import type { DealRecord } from "#contract/deal-records.ts";
import { formatDateTime } from "#web/ui/format.ts";
import { UserText } from "#web/ui/UserText.tsx";
import { eventName } from "./event-names.ts";

/** What the audit log says about a deal and its payments, the oldest first. */
export function DealEvents({ events }: { events: DealRecord["events"] }) {
  return (
    <ol className="flex flex-col gap-2">
      {events.map(({ at, actor, verb, object }) => (
        <li key={`${at} ${verb} ${object}`} className="flex flex-wrap gap-x-3">
          <time dateTime={at} className="text-muted tabular-nums">
            {formatDateTime(at)}
          </time>
          <span>
            {actor !== null && (
              <>
                <UserText>{actor}</UserText>:{" "}
              </>
            )}
            {eventName({ verb, actor })}
          </span>
        </li>
      ))}
    </ol>
  );
}
