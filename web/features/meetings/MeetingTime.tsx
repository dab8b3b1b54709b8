import { formatMeetingTime, type Meeting } from "#contract/meetings.ts";

/** A meeting's time in the proposal's time zone, and in the reader's time zone if that differs. */
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
