import { mergeDistinct } from "#contract/merge-distinct.ts";
import { complaintJobs } from "./features/complaints/jobs.ts";
import { bookingJobs, meetingJobs, offerJobs } from "./features/deals/jobs.ts";
import { fairPriceJobs } from "./features/fair-price/jobs.ts";
import { identityJobs } from "./features/identity/jobs.ts";
import { imageJobs } from "./features/images/jobs.ts";
import { memberJobs } from "./features/members/jobs.ts";
import { messageJobs } from "./features/messages/jobs.ts";
import { moneyJobs } from "./features/money/jobs.ts";
import { needsYouJobs } from "./features/needs-you/jobs.ts";
import { overviewJobs } from "./features/overview/jobs.ts";
import { retentionJobs } from "./features/retention/jobs.ts";
import { reviewJobs } from "./features/reviews/jobs.ts";
import { creditJobs, invitationJobs } from "./features/rewards/jobs.ts";
import { savedProductJobs, savedSearchJobs } from "./features/saved/jobs.ts";
import { searchJobs } from "./features/search/jobs.ts";
import type { Payloads } from "./jobs/define-jobs.ts";
import { lostJobs } from "./jobs/lost-jobs.ts";
import { emailJobs } from "./jobs/send-mail.ts";

/** All jobs by name, which the worker runs. */
export const allJobs = mergeDistinct(
  bookingJobs,
  creditJobs,
  fairPriceJobs,
  identityJobs,
  imageJobs,
  invitationJobs,
  complaintJobs,
  meetingJobs,
  memberJobs,
  messageJobs,
  needsYouJobs,
  offerJobs,
  overviewJobs,
  moneyJobs,
  retentionJobs,
  reviewJobs,
  savedProductJobs,
  savedSearchJobs,
  searchJobs,
  lostJobs,
  emailJobs,
);

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof allJobs> {}
  }
}
