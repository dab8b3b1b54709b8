import type { DealRecord } from "#contract/deal-records.ts";
import { formatDateTime } from "#web/ui/format.ts";
import { UserText } from "#web/ui/UserText.tsx";

/** In the words of the audit log, which an admin may look up there. */
const names: Record<string, string> = {
  hold: "put it on hold",
  pay: "paid",
  settle: "The payment was recorded",
  proposeMeeting: "proposed a place and time",
  agreeMeeting: "accepted the place and time",
  cancelMeeting: "took the place and time back",
  complete: "confirmed the handover",
  complain: "said that something is wrong",
  "answer complaint": "answered the complaint",
  openDispute: "The buyer's bank opened a dispute",
  closeDispute: "The buyer's bank decided",
  submitEvidence: "sent evidence to the bank",
  expire: "The hold expired",
  cancel: "ended the hold",
};

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
            {names[verb] ?? verb}
          </span>
        </li>
      ))}
    </ol>
  );
}
