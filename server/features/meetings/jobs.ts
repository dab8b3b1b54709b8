import { defineJobs, type Payloads } from "../../jobs/define-jobs.ts";
import { remindOfMeeting } from "./answer-meeting.ts";

export const meetingJobs = defineJobs({
  remindOfMeeting: {
    run: (deps, { meetingId }: { meetingId: string }) => remindOfMeeting(deps, meetingId),
  },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof meetingJobs> {}
  }
}
