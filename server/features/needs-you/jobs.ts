import { defineJobs } from "../../jobs/define-jobs.ts";
import { mailNeedsYou } from "./mail-needs-you.ts";

export const needsYouJobs = defineJobs({
  mailNeedsYou: { run: mailNeedsYou, schedule: { at: "7 7 * * *", attempts: 3 } },
});
