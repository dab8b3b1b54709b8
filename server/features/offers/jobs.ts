import { defineJobs, type Payloads } from "../../jobs/define-jobs.ts";
import { declineBelowFloor, expireOffer } from "./answer-offer.ts";
import { mailOffer } from "./mail-offer.ts";

export const offerJobs = defineJobs({
  expireOffer: { run: (deps, { offerId }: { offerId: string }) => expireOffer(deps, offerId) },
  declineOffer: {
    run: (deps, { offerId }: { offerId: string }) => declineBelowFloor(deps, offerId),
  },
  mailOffer: { run: mailOffer },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof offerJobs> {}
  }
}
