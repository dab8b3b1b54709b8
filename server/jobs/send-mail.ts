import { sendQueuedEmail } from "../email/send-email.ts";
import { defineJobs, type Payloads } from "./define-jobs.ts";

export const emailJobs = defineJobs({
  sendMail: { run: sendQueuedEmail, oneAtATime: true },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof emailJobs> {}
  }
}
