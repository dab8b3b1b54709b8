import { defineJobs, everyMinute, type Payloads } from "../../jobs/define-jobs.ts";
import { foldOverviewDeltas } from "./fold-deltas.ts";

export const overviewJobs = defineJobs({
  foldOverviewDeltas: { run: foldOverviewDeltas, schedule: everyMinute },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof overviewJobs> {}
  }
}
