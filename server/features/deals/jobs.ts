import { defineJobs } from "../../jobs/define-jobs.ts";
import { expireHold } from "../money/end-hold.ts";
import { remindOfMeeting } from "./answer-meeting.ts";
import { declineBelowFloor, expireOffer } from "./answer-offer.ts";
import { mailOffer } from "./mail-offer.ts";

export const bookingJobs = defineJobs({
  expireHold: {
    run: (deps, { bookingId }: { bookingId: string }) => expireHold(deps, bookingId),
    callsProvider: true,
  },
});

export const offerJobs = defineJobs({
  expireOffer: { run: (deps, { offerId }: { offerId: string }) => expireOffer(deps, offerId) },
  declineOffer: {
    run: (deps, { offerId }: { offerId: string }) => declineBelowFloor(deps, offerId),
  },
  mailOffer: { run: mailOffer },
});

export const meetingJobs = defineJobs({
  remindOfMeeting: {
    run: (deps, { meetingId }: { meetingId: string }) => remindOfMeeting(deps, meetingId),
  },
});
