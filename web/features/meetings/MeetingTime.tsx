import { formatMeetingTime, type Meeting } from "#contract/meetings.ts";

/** The time where it was proposed and, if the reader's clock shows another one, theirs. */
export function MeetingTime({ meeting }: { meeting: Meeting }) {
  const { startsAt } = meeting;
  const there = formatMeetingTime(meeting);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const here = formatMeetingTime({ startsAt, timeZone });
  return (
    <time dateTime={startsAt}>
      {there}
      {here !== there && ` (${here} for you)`}
    </time>
  );
}
