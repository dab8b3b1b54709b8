import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { meetComplaintDeadlines } from "./complaint-deadlines.ts";

export const complaintJobs = defineJobs({
  meetComplaintDeadlines: { run: meetComplaintDeadlines, schedule: everyMinute },
});
