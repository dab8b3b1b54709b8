import { defineJobs, everyMinute, type Payloads } from "../../jobs/define-jobs.ts";
import { takeReviewSteps } from "./publish-reviews.ts";

export const reviewJobs = defineJobs({
  reviewSteps: { run: takeReviewSteps, schedule: everyMinute },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof reviewJobs> {}
  }
}
