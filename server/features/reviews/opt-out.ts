import type { OptOut } from "../../email/opt-outs.ts";
import { stopReviewEmails, wantsReviewEmails } from "../review-lifecycle/review-settings.ts";

/** By the id of the member. */
export const reviewOptOut: OptOut = {
  hasStopped: async (tx, memberId) => !(await wantsReviewEmails(tx, memberId)),
  stop: stopReviewEmails,
};
