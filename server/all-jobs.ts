import { sendQueuedEmail } from "./email/send-email.ts";
import { meetComplaintDeadlines } from "./features/complaints/complaint-deadlines.ts";
import { declineBelowFloor, expireOffer } from "./features/deals/answer-offer.ts";
import { expireHold } from "./features/deals/end-hold.ts";
import { remindOfMeeting } from "./features/deals/meetings.ts";
import { mailOffer } from "./features/deals/offer-emails.ts";
import { refreshFairPrices } from "./features/fair-price/fair-price.ts";
import { offerPasswordReset } from "./features/identity/identity-hooks.ts";
import { deletePrivateFiles } from "./features/images/photo-files.ts";
import { removeImage } from "./features/images/unused-images.ts";
import { storeAvifVersions } from "./features/images/upload-photo.ts";
import { endHoldsOf } from "./features/members/suspension.ts";
import { mailMessages } from "./features/messages/mail-messages.ts";
import { reconcile } from "./features/money/reconcile.ts";
import { reconcileLedger } from "./features/money/reconcile-ledger.ts";
import { readSellerAccount } from "./features/money/record-payouts.ts";
import { recordReversals } from "./features/money/reverse-transfers.ts";
import { refundPayment } from "./features/money/send-refund.ts";
import { settleDeals } from "./features/money/settle-deals.ts";
import { settleIntent } from "./features/money/webhook-events.ts";
import { mailNeedsYou } from "./features/needs-you/mail-needs-you.ts";
import { cleanUp } from "./features/retention/clean-up.ts";
import { takeReviewSteps } from "./features/reviews/publish-reviews.ts";
import { expireCredits } from "./features/rewards/credits.ts";
import { rewardInvitations } from "./features/rewards/reward-invitations.ts";
import { mailSavedProducts } from "./features/saved/mail-saved-products.ts";
import { mailSavedSearches } from "./features/saved/mail-saved-searches.ts";
import { refreshVocabulary } from "./features/search/typos-and-suggestions.ts";
import { indexStaleListings } from "./features/search-index/index-listings.ts";
import { defineJobs, everyMinute, type Payloads } from "./jobs/define-jobs.ts";
import { freeLostJobs } from "./jobs/job-runner.ts";

export const allJobs = defineJobs({
  // Deals
  expireHold: {
    run: (deps, { bookingId }: { bookingId: string }) => expireHold(deps, bookingId),
    callsProvider: true,
  },
  endHoldsOf: { run: endHoldsOf, callsProvider: true },
  expireOffer: { run: (deps, { offerId }: { offerId: string }) => expireOffer(deps, offerId) },
  declineOffer: {
    run: (deps, { offerId }: { offerId: string }) => declineBelowFloor(deps, offerId),
  },
  mailOffer: { run: mailOffer },
  remindOfMeeting: {
    run: (deps, { meetingId }: { meetingId: string }) => remindOfMeeting(deps, meetingId),
  },
  meetComplaintDeadlines: { run: meetComplaintDeadlines, schedule: everyMinute },
  reviewSteps: { run: takeReviewSteps, schedule: everyMinute },

  // Money
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
  rewardInvitations: { run: rewardInvitations, schedule: everyMinute },
  expireCredits: { run: expireCredits, schedule: { at: "33 * * * *", attempts: 3 } },

  // Laptops
  encodeAvif: {
    run: (deps, { sha256 }: { sha256: string }) => storeAvifVersions(deps, sha256),
    oneAtATime: true,
  },
  removeImage: { run: (deps, { sha256 }: { sha256: string }) => removeImage(deps, sha256) },
  removePrivatePhoto: {
    run: ({ images }, { name }: { name: string }) => deletePrivateFiles(images, name),
  },
  indexListings: {
    run: async (deps) => {
      // Lets suggestions and corrections use new words immediately.
      if ((await indexStaleListings(deps)) > 0) await refreshVocabulary(deps);
    },
    schedule: everyMinute,
  },
  refreshVocabulary: { run: refreshVocabulary, schedule: { at: "*/10 * * * *", attempts: 1 } },
  refreshFairPrices: { run: refreshFairPrices, schedule: { at: "41 3 * * *", attempts: 3 } },

  // Members and email
  offerPasswordReset: {
    run: (deps, { email }: { email: string }) => offerPasswordReset(deps, email),
  },
  deleteHostedAccount: {
    run: async ({ identity }, { accountId }: { accountId: string }) =>
      await identity.deleteHostedAccount?.(accountId),
    callsProvider: true,
  },
  sendMail: { run: sendQueuedEmail, oneAtATime: true },
  mailMessages: { run: mailMessages, schedule: everyMinute },
  mailSavedProducts: { run: mailSavedProducts, schedule: everyMinute },
  mailSavedSearches: { run: mailSavedSearches, schedule: everyMinute },

  // Operation
  mailNeedsYou: { run: mailNeedsYou, schedule: { at: "7 7 * * *", attempts: 3 } },
  freeLostJobs: { run: ({ db }) => freeLostJobs(db), schedule: everyMinute },
  cleanUp: { run: cleanUp, schedule: { at: "17 * * * *", attempts: 3 } },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof allJobs> {}
  }
}
