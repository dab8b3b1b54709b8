import type { Call } from "./call.ts";
import { table } from "./table.ts";

/**
 * The calls whose answers may be up to a second old, for everybody but whoever has just written: they are read from
 * replicas of the database, if there are some (decision 0108). Not among them: what the next step of a deal, a
 * payment or a sign-in is decided on, and what a member's browser reads again because an event has announced it: another
 * node may not know of the change yet. Events announce deals and messages to the parties (`web/api/live-changes.ts`).
 */
const replicaReads = [
  table.listCategories,
  table.listCategoryProducts,
  table.listAdvertisedProducts,
  table.readProduct,
  table.readFairPrice,
  table.search,
  table.listSuggestions,
  table.readSeller,
  table.listSellerLaptops,
  table.listSellerReviews,
  table.listSavedProducts,
  table.listSavedProductIds,
  table.listSavedSearches,
  table.listPayouts,
  table.readAdminOverview,
  table.listBuyers,
  table.listSellers,
  table.listReports,
  table.listFlaggedListings,
  table.listReviewReports,
  table.listConversationReports,
  table.listSuspectInvitations,
  table.listComplaints,
  table.listPayments,
  table.readLedger,
  table.listJournals,
  table.listAuditLog,
] as const satisfies readonly (Call & { method: "GET" })[];

const known = new Set<Call>(replicaReads);

/** Whether a call may be answered from a replica. Calls that write are none of them: the list refuses to compile. */
export function mayReadReplica(call: Call): boolean {
  return known.has(call);
}
