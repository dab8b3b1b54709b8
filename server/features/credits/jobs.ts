import { defineJobs } from "../../jobs/define-jobs.ts";
import { expireCredits } from "./expire-credits.ts";

export const creditJobs = defineJobs({
  expireCredits: { run: expireCredits, schedule: { at: "33 * * * *", attempts: 3 } },
});
