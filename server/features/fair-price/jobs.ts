import { defineJobs, type Payloads } from "../../jobs/define-jobs.ts";
import { refreshFairPrices } from "./refresh-fair-prices.ts";

export const fairPriceJobs = defineJobs({
  refreshFairPrices: { run: refreshFairPrices, schedule: { at: "41 3 * * *", attempts: 3 } },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof fairPriceJobs> {}
  }
}
