import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { mailSavedSearches } from "./mail-saved-searches.ts";

export const savedSearchJobs = defineJobs({
  mailSavedSearches: { run: mailSavedSearches, schedule: everyMinute },
});
