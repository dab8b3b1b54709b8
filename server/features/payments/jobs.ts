import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { refundPayment } from "../money/refund-payment.ts";
import { reconcile } from "./reconcile.ts";
import { settleIntent } from "./webhook.ts";

export const paymentJobs = defineJobs({
  settleIntent: {
    run: (deps, { intentId }: { intentId: string }) => settleIntent(deps, intentId),
    callsProvider: true,
  },
  refundPayment: {
    run: (deps, { paymentId }: { paymentId: string }) => refundPayment(deps, paymentId),
    callsProvider: true,
  },
  reconcile: { run: reconcile, schedule: everyMinute, callsProvider: true },
});
