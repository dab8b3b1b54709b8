import { defineJobs } from "../../jobs/define-jobs.ts";
import { reconcileLedger } from "./reconcile-ledger.ts";

export const ledgerJobs = defineJobs({
  reconcileLedger: {
    run: reconcileLedger,
    schedule: { at: "29 4 * * *", attempts: 3 },
    callsProvider: true,
  },
});
