import { defineJobs } from "../../jobs/define-jobs.ts";
import { endHoldsOf } from "./suspension.ts";

export const memberJobs = defineJobs({
  endHoldsOf: { run: endHoldsOf, callsProvider: true },
});
