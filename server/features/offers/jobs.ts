import { defineJobs } from "../../jobs/define-jobs.ts";
import { declineBelowFloor, expireOffer } from "./answer-offer.ts";
import { mailOffer } from "./mail-offer.ts";

export const offerJobs = defineJobs({
  expireOffer: { run: (deps, { offerId }: { offerId: string }) => expireOffer(deps, offerId) },
  declineOffer: {
    run: (deps, { offerId }: { offerId: string }) => declineBelowFloor(deps, offerId),
  },
  mailOffer: { run: mailOffer },
});
