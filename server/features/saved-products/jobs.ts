import { defineJobs, everyMinute, type Payloads } from "../../jobs/define-jobs.ts";
import { mailSavedProducts } from "./mail-saved-products.ts";

export const savedProductJobs = defineJobs({
  mailSavedProducts: { run: mailSavedProducts, schedule: everyMinute },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof savedProductJobs> {}
  }
}
