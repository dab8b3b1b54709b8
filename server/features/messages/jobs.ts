import { defineJobs, everyMinute, type Payloads } from "../../jobs/define-jobs.ts";
import { mailMessages } from "./mail-messages.ts";

export const messageJobs = defineJobs({
  mailMessages: { run: mailMessages, schedule: everyMinute },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof messageJobs> {}
  }
}
