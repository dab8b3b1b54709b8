import { defineJobs, type Payloads } from "../../jobs/define-jobs.ts";
import { sendQueuedEmail } from "./send-email.ts";

export const emailJobs = defineJobs({
  sendMail: { run: sendQueuedEmail, oneAtATime: true },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof emailJobs> {}
  }
}
