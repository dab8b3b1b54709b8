import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { foldOverviewDeltas } from "./overview.ts";

export const overviewJobs = defineJobs({
  foldOverviewDeltas: { run: foldOverviewDeltas, schedule: everyMinute },
});
