import { sendQueuedEmail } from "../email/send-email.ts";
import { defineJobs } from "./define-jobs.ts";

export const emailJobs = defineJobs({
  sendMail: { run: sendQueuedEmail, oneAtATime: true },
});
