import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { mailMessages } from "./mail-messages.ts";

export const messageJobs = defineJobs({
  mailMessages: { run: mailMessages, schedule: everyMinute },
});
