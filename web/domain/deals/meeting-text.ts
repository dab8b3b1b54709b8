import type { Meeting } from "#contract/meetings.ts";
import { formatDateTime } from "../../ui/format-dates-and-counts.ts";

/** The agreed or proposed meeting time, in the reader's time zone. */
export function meetingText({ state, by, startsAt }: Meeting, reader: Meeting["by"]): string {
  const time = formatDateTime(startsAt);
  if (state === "agreed") return `You meet on ${time}.`;
  if (by === reader) return `You proposed ${time}. It isn't accepted yet.`;
  return `The ${by} proposes ${time}. Please answer.`;
}
