import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { readSellerAccount } from "./record-payouts.ts";
import { recordReversals } from "./record-reversals.ts";
import { settleDeals } from "./settle-deals.ts";

export const settlementJobs = defineJobs({
  settleDeals: { run: settleDeals, schedule: everyMinute, callsProvider: true },
  readSellerAccount: {
    run: (deps, { accountId }: { accountId: string }) => readSellerAccount(deps, accountId),
    callsProvider: true,
  },
  recordReversals: {
    run: (deps, { bookingId }: { bookingId: string }) => recordReversals(deps, bookingId),
    callsProvider: true,
  },
});
