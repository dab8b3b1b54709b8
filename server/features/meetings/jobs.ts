import { defineJobs } from "../../jobs/define-jobs.ts";
import { remindOfMeeting } from "./answer-meeting.ts";

export const meetingJobs = defineJobs({
  remindOfMeeting: {
    run: (deps, { meetingId }: { meetingId: string }) => remindOfMeeting(deps, meetingId),
  },
});
