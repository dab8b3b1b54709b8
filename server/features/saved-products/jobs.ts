import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { mailSavedProducts } from "./mail-saved-products.ts";

export const savedProductJobs = defineJobs({
  mailSavedProducts: { run: mailSavedProducts, schedule: everyMinute },
});
