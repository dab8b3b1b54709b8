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
import {
  bookProduct,
  cancelBooking,
  confirmHandover,
  findBookingToPay,
  listBookings,
} from "./bookings.ts";
import type { Call, Resource } from "./call.ts";
import { changesOf, readsOf } from "./call-resources.ts";
import { listCategories, listCategoryProducts } from "./categories.ts";
import { readConfig } from "./config.ts";
import { uploadImage, uploadPhoto } from "./images.ts";
import { inviteFriend, unsubscribe } from "./invites.ts";
import { readProduct } from "./laptops.ts";
import {
  confirmAddress,
  deleteUser,
  endMemberSessions,
  isAdmin,
  isSeller,
  issueToken,
  joinAsMember,
  listBuyers,
  listSellers,
  readConfirmation,
  resendConfirmation,
  toggleSellerStatus,
  toggleSuspension,
  updateProfile,
  upsertMember,
} from "./members.ts";
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
  addProduct,
  deleteProduct,
  editProduct,
  listAdvertisedProducts,
  listSellerProducts,
  takeDownProduct,
  toggleAdvertise,
} from "./products.ts";
import { deleteReport, listReports, reportProduct } from "./reports.ts";
import { listSuggestions, search } from "./search.ts";

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
  unsubscribe,
  isAdmin,
  isSeller,
  listBuyers,
  listSellers,
  deleteUser,
  endMemberSessions,
  toggleSuspension,
  toggleSellerStatus,
  listCategories,
  listCategoryProducts,
  listAdvertisedProducts,
  listSellerProducts,
  readProduct,
  addProduct,
  editProduct,
  toggleAdvertise,
  deleteProduct,
  takeDownProduct,
  search,
  listSuggestions,
  bookProduct,
  listBookings,
  findBookingToPay,
  cancelBooking,
  confirmHandover,
  reportProduct,
  listReports,
  deleteReport,
  listAuditLog,
  createPaymentIntent,
  recordPayment,
  receiveStripeEvent,
  listPayments,
  refundBooking,
  settleRefund,
  readSellerOverview,
  readAdminOverview,
  countViews,
  uploadImage,
  readConfig,
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
  return changesOf(call).some((resource) => publicResources.has(resource));
}
