import { defineJobs } from "../../jobs/define-jobs.ts";
import { refreshFairPrices } from "./refresh-fair-prices.ts";

export const fairPriceJobs = defineJobs({
  refreshFairPrices: { run: refreshFairPrices, schedule: { at: "41 3 * * *", attempts: 3 } },
});
