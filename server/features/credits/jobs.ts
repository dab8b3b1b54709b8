import { defineJobs, type Payloads } from "../../jobs/define-jobs.ts";
import { expireCredits } from "./expire-credits.ts";

export const creditJobs = defineJobs({
  expireCredits: { run: expireCredits, schedule: { at: "33 * * * *", attempts: 3 } },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof creditJobs> {}
  }
}
