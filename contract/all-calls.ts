import * as account from "./account.ts";
import * as audit from "./audit.ts";
import * as bookings from "./bookings.ts";
import type { Call, Resource } from "./call.ts";
import { changesOf, readsOf } from "./call-resources.ts";
import * as categories from "./categories.ts";
import * as complaints from "./complaints.ts";
import * as config from "./config.ts";
import * as dealRecords from "./deal-records.ts";
import * as fairPrice from "./fair-price.ts";
import * as firstSteps from "./first-steps.ts";
import * as flaggedListings from "./flagged-listings.ts";
import * as handover from "./handover.ts";
import * as health from "./health.ts";
import * as images from "./images.ts";
import * as invitations from "./invitations.ts";
import * as laptopPage from "./laptop-page.ts";
import * as ledger from "./ledger.ts";
import * as manageCategories from "./manage-categories.ts";
import * as meetings from "./meetings.ts";
import * as members from "./members.ts";
import * as messages from "./messages.ts";
import * as needsYou from "./needs-you.ts";
import * as offers from "./offers.ts";
import * as operations from "./operations.ts";
import * as overview from "./overview.ts";
import * as ownProduct from "./own-product.ts";
import * as payments from "./payments.ts";
import * as payouts from "./payouts.ts";
import * as privatePhotos from "./private-photos.ts";
import * as products from "./products.ts";
import * as refunds from "./refunds.ts";
import * as reports from "./reports.ts";
import * as reviews from "./reviews.ts";
import * as savedProducts from "./saved-products.ts";
import * as savedSearches from "./saved-searches.ts";
import * as search from "./search.ts";
import * as sellers from "./sellers.ts";
import * as shopSettings from "./shop-settings.ts";
import * as staff from "./staff.ts";
import * as unsubscribe from "./unsubscribe.ts";

const exported = {
  ...account,
  ...audit,
  ...bookings,
  ...categories,
  ...complaints,
  ...config,
  ...dealRecords,
  ...fairPrice,
  ...firstSteps,
  ...flaggedListings,
  ...handover,
  ...health,
  ...images,
  ...invitations,
  ...laptopPage,
  ...ledger,
  ...manageCategories,
  ...meetings,
  ...members,
  ...messages,
  ...needsYou,
  ...offers,
  ...operations,
  ...overview,
  ...payments,
  ...payouts,
  ...privatePhotos,
  ...ownProduct,
  ...products,
  ...refunds,
  ...reports,
  ...reviews,
  ...savedProducts,
  ...savedSearches,
  ...search,
  ...sellers,
  ...shopSettings,
  ...staff,
  ...unsubscribe,
};

export type Table = {
  [Name in keyof typeof exported as (typeof exported)[Name] extends Call
    ? Name
    : never]: (typeof exported)[Name];
};

/** All API calls by name. */
export const table = Object.fromEntries(
  Object.entries<unknown>(exported).filter(([, one]) => isCall(one)),
) as Table;

function isCall(one: unknown): boolean {
  return one instanceof Object && "method" in one && "access" in one;
}

const publicResources = new Set<Resource>(
  Object.values<Call>(table).flatMap((call) => (call.access === "public" ? readsOf(call) : [])),
);

/** Whether a call can make cached public responses stale. */
export function changesPublicAnswers(call: Call): boolean {
  const { changesPublicAnswers: isMarked = false } = call.method === "GET" ? {} : call;
  return isMarked || changesOf(call).some((resource) => publicResources.has(resource));
}
