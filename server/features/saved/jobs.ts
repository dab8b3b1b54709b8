import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { mailSavedProducts } from "./mail-saved-products.ts";
import { mailSavedSearches } from "./mail-saved-searches.ts";

export const savedProductJobs = defineJobs({
  mailSavedProducts: { run: mailSavedProducts, schedule: everyMinute },
});

export const savedSearchJobs = defineJobs({
  mailSavedSearches: { run: mailSavedSearches, schedule: everyMinute },
});
