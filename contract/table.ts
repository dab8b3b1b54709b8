import {
  confirmPassword,
  deleteAccount,
  endOtherSessions,
  endSession,
  listSessions,
  readOwnData,
  readSecondFactors,
} from "./account.ts";
import { listAuditLog } from "./audit.ts";
import { bookProduct, cancelBooking, findBookingToPay, listBookings } from "./bookings.ts";
import type { Call, Resource } from "./call.ts";
import { changesOf, readsOf } from "./call-resources.ts";
import { listCategories, listCategoryProducts } from "./categories.ts";
import {
  answerComplaint,
  closeComplaint,
  complain,
  decideComplaint,
  listComplaints,
  readComplaint,
} from "./complaints.ts";
import { readConfig } from "./config.ts";
import {
  draftEvidence,
  listDealMessages,
  readDealRecord,
  settleLeftover,
  submitEvidence,
} from "./deal-records.ts";
import { readFairPrice } from "./fair-price.ts";
import { dismissFlag, listFlaggedListings } from "./flagged-listings.ts";
import {
  confirmHandover,
  confirmHandoverByCode,
  issueHandoverCode,
  readHandover,
} from "./handover.ts";
import { readHealth, retryJobs } from "./health.ts";
import { uploadImage, uploadPhoto } from "./images.ts";
import {
  acceptInvitation,
  decideInvitation,
  listInvitations,
  listSuspectInvitations,
  readInvitationOffer,
  readOwnInvitations,
} from "./invitations.ts";
import { inviteFriend } from "./invite-friend.ts";
import { readProduct } from "./laptops.ts";
import { listJournals, readLedger } from "./ledger.ts";
import { drawLinkPreview } from "./link-previews.ts";
import { acceptMeeting, cancelMeeting, proposeMeeting, readCalendar } from "./meetings.ts";
import {
  addRole,
  confirmAddress,
  deleteUser,
  endMemberSessions,
  isAdmin,
  isSeller,
  issueToken,
  joinAsMember,
  listBuyers,
  listSellers,
  noteVerification,
  readConfirmation,
  resendConfirmation,
  toggleSellerStatus,
  toggleSuspension,
  updateProfile,
  upsertMember,
} from "./members.ts";
import {
  askSeller,
  blockMember,
  closeConversationReport,
  listConversationReports,
  listConversations,
  listMessages,
  markConversationRead,
  messageBuyer,
  readConversation,
  readMessageEvents,
  readMessageInbox,
  readReportedMessages,
  reportConversation,
  sendMessage,
  setMessageEmails,
} from "./messages.ts";
import {
  acceptOffer,
  counterOffer,
  declineOffer,
  listOffers,
  makeOffer,
  readOfferFloor,
  setOfferFloor,
  withdrawOffer,
} from "./offers.ts";
import { isHealthy, isReady, readOpenApi } from "./operations.ts";
import { countViews, readAdminOverview, readSellerOverview } from "./overview.ts";
import {
  createPaymentIntent,
  listPayments,
  receiveStripeEvent,
  recordPayment,
  refundBooking,
  settleRefund,
} from "./payments.ts";
import {
  connectPayoutAccount,
  listPayouts,
  listSales,
  readPayoutAccount,
  readStatement,
  refreshPayoutAccount,
} from "./payouts.ts";
import { readPrivatePhoto, uploadPrivatePhoto } from "./private-photos.ts";
import {
  addProduct,
  deleteProduct,
  editProduct,
  listAdvertisedProducts,
  listSellerProducts,
  takeDownProduct,
  toggleAdvertise,
} from "./products.ts";
import { deleteReport, listReports, reportProduct } from "./reports.ts";
import {
  closeReviewReport,
  listReviewedDeals,
  listReviewReports,
  listSellerReviews,
  readReviewEmails,
  removeReview,
  replyToReview,
  reportReview,
  setReviewEmails,
  writeReview,
} from "./reviews.ts";
import {
  listSavedProductIds,
  listSavedProducts,
  saveProduct,
  setSavedProductEmails,
  unsaveProduct,
} from "./saved-products.ts";
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  saveSearch,
} from "./saved-searches.ts";
import { search } from "./search.ts";
import { listSellerLaptops, readSeller } from "./sellers.ts";
import { listSuggestions } from "./suggestions.ts";
import { unsubscribe } from "./unsubscribe.ts";

/** All calls of the API. Server, client, OpenAPI and tests derive from it. */
export const table = {
  issueToken,
  joinAsMember,
  upsertMember,
  updateProfile,
  readConfirmation,
  resendConfirmation,
  confirmAddress,
  uploadPhoto,
  listSessions,
  endSession,
  endOtherSessions,
  confirmPassword,
  readOwnData,
  readSecondFactors,
  deleteAccount,
  inviteFriend,
  readOwnInvitations,
  listInvitations,
  acceptInvitation,
  readInvitationOffer,
  listSuspectInvitations,
  decideInvitation,
  unsubscribe,
  isAdmin,
  isSeller,
  addRole,
  listBuyers,
  listSellers,
  deleteUser,
  endMemberSessions,
  toggleSuspension,
  toggleSellerStatus,
  noteVerification,
  listCategories,
  listCategoryProducts,
  listAdvertisedProducts,
  listSellerProducts,
  readProduct,
  drawLinkPreview,
  readFairPrice,
  addProduct,
  editProduct,
  toggleAdvertise,
  deleteProduct,
  takeDownProduct,
  search,
  listSuggestions,
  listSavedProducts,
  listSavedProductIds,
  saveProduct,
  unsaveProduct,
  setSavedProductEmails,
  listSavedSearches,
  saveSearch,
  changeSavedSearch,
  deleteSavedSearch,
  listConversations,
  readConversation,
  listMessages,
  askSeller,
  sendMessage,
  markConversationRead,
  messageBuyer,
  blockMember,
  reportConversation,
  readMessageInbox,
  setMessageEmails,
  readMessageEvents,
  listConversationReports,
  readReportedMessages,
  closeConversationReport,
  listOffers,
  makeOffer,
  acceptOffer,
  declineOffer,
  counterOffer,
  withdrawOffer,
  readOfferFloor,
  setOfferFloor,
  bookProduct,
  listBookings,
  findBookingToPay,
  cancelBooking,
  readHandover,
  confirmHandover,
  issueHandoverCode,
  confirmHandoverByCode,
  readSeller,
  listSellerLaptops,
  listSellerReviews,
  listReviewedDeals,
  writeReview,
  replyToReview,
  reportReview,
  listReviewReports,
  closeReviewReport,
  removeReview,
  readReviewEmails,
  setReviewEmails,
  proposeMeeting,
  acceptMeeting,
  cancelMeeting,
  readCalendar,
  reportProduct,
  listReports,
  deleteReport,
  listFlaggedListings,
  dismissFlag,
  listAuditLog,
  createPaymentIntent,
  recordPayment,
  receiveStripeEvent,
  listPayments,
  refundBooking,
  settleRefund,
  complain,
  readComplaint,
  answerComplaint,
  closeComplaint,
  listComplaints,
  decideComplaint,
  readPayoutAccount,
  connectPayoutAccount,
  refreshPayoutAccount,
  listSales,
  listPayouts,
  readStatement,
  readLedger,
  listJournals,
  readSellerOverview,
  readAdminOverview,
  countViews,
  uploadImage,
  uploadPrivatePhoto,
  readPrivatePhoto,
  readDealRecord,
  listDealMessages,
  draftEvidence,
  settleLeftover,
  submitEvidence,
  readConfig,
  readHealth,
  retryJobs,
  readOpenApi,
  isHealthy,
  isReady,
} as const satisfies Record<string, Call>;

export type Table = typeof table;

const publicResources = new Set<Resource>(
  Object.values<Call>(table).flatMap((call) => (call.access === "public" ? readsOf(call) : [])),
);

/** Whether a call changes what a public call answers, so that cached public answers are stale. */
export function changesPublicAnswers(call: Call): boolean {
  const { changesPublicAnswers: isMarked = false } = call.method === "GET" ? {} : call;
  return isMarked || changesOf(call).some((resource) => publicResources.has(resource));
}
