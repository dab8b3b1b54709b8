import { defineJobs, type Payloads } from "../../jobs/define-jobs.ts";
import { endHoldsOf } from "./suspension.ts";

export const memberJobs = defineJobs({
  endHoldsOf: { run: endHoldsOf, callsProvider: true },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof memberJobs> {}
  }
}
