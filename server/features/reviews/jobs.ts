import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { takeReviewSteps } from "./publish-reviews.ts";

export const reviewJobs = defineJobs({
  reviewSteps: { run: takeReviewSteps, schedule: everyMinute },
});
