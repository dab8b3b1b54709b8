import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { reconcile } from "./reconcile.ts";
import { reconcileLedger } from "./reconcile-ledger.ts";
import { readSellerAccount } from "./record-payouts.ts";
import { recordReversals } from "./record-reversals.ts";
import { refundPayment } from "./send-refund.ts";
import { settleDeals } from "./settle-deals.ts";
import { settleIntent } from "./webhook.ts";

export const moneyJobs = defineJobs({
  reconcile: { run: reconcile, schedule: everyMinute, callsProvider: true },
  settleDeals: { run: settleDeals, schedule: everyMinute, callsProvider: true },
  reconcileLedger: {
    run: reconcileLedger,
    schedule: { at: "29 4 * * *", attempts: 3 },
    callsProvider: true,
  },
  settleIntent: {
    run: (deps, { intentId }: { intentId: string }) => settleIntent(deps, intentId),
    callsProvider: true,
  },
  refundPayment: {
    run: (deps, { paymentId }: { paymentId: string }) => refundPayment(deps, paymentId),
    callsProvider: true,
  },
  readSellerAccount: {
    run: (deps, { accountId }: { accountId: string }) => readSellerAccount(deps, accountId),
    callsProvider: true,
  },
  recordReversals: {
    run: (deps, { bookingId }: { bookingId: string }) => recordReversals(deps, bookingId),
    callsProvider: true,
  },
});
