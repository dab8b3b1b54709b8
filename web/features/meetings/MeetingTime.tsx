import { formatMeetingTime, type Meeting } from "#contract/meetings.ts";

/** The time in the proposal's time zone, and in the reader's if that differs. */
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
