import { defineJobs, everyMinute, type Payloads } from "../../jobs/define-jobs.ts";
import { mailSavedSearches } from "./mail-saved-searches.ts";

export const savedSearchJobs = defineJobs({
  mailSavedSearches: { run: mailSavedSearches, schedule: everyMinute },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof savedSearchJobs> {}
  }
}
