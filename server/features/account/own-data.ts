import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { MemberData } from "#contract/account.ts";
import { toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordOwnChange } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { wantsEmails } from "../../email/opt-outs.ts";
import { listComplaintsOf } from "../complaints/read-complaints.ts";
import { listBookings } from "../deals/list-bookings.ts";
import { listOffers } from "../deals/list-offers.ts";
import { toVerification } from "../members/verify-seller.ts";
import { exportConversations } from "../messages/conversations.ts";
import { readMessageInbox } from "../messages/message-inbox.ts";
import { disputeColumns, toDispute } from "../money/list-payments.ts";
import { listPayouts, listSales } from "../money/list-sales.ts";
import { factsColumn, toFacts } from "../products/facts.ts";
import { selectProducts, toProductWithContact } from "../products/product-rows.ts";
import { serialEndColumn } from "../products/serial-numbers.ts";
import { listReviewedDeals } from "../reviews/shown-reviews.ts";
import { readInvitationData } from "../rewards/list-invitations.ts";
import { listSavedProductIds, listSavedProducts } from "../saved/saved-products.ts";
import { listSavedSearches } from "../saved/saved-searches.ts";
import { type InSession, toSession } from "./sessions.ts";

/** A page large enough for each list, because the export isn't paginated. */
const everything = { limit: 100_000 };

export async function readOwnData(deps: Deps, who: InSession): Promise<MemberData> {
  const at = deps.clock.now();
  const { id, email } = who.member;
  return await transact(deps.db, "readOwnData", async (tx) => {
    const data = {
      writtenAt: at,
      member: await readMember(tx, id),
      signInMethods: await deps.identity.accounts.listSignInMethods(tx, email),
      sessions: await readSessions(tx, deps, who),
      products: await readProducts(tx, id),
      bookings: (await listBookings({ ...deps, db: tx }, email, everything)).items,
      payments: await readPayments(tx, id),
      complaints: await listComplaintsOf({ db: tx, config: deps.config }, id),
      sales: (await listSales(tx, { id }, everything)).items,
      payoutAccounts: await readPayoutAccounts(tx, id),
      payouts: await listPayouts(tx, { id }, everything.limit),
      reports: await readReports(tx, id),
      savedProducts: (await listSavedProducts(tx, who.member, everything)).items,
      savedEmails: (await listSavedProductIds(tx, who.member)).emails,
      savedSearches: await listSavedSearches(tx, who.member),
      messageEmails: (await readMessageInbox(tx, who.member)).emails,
      conversations: await exportConversations(tx, who.member),
      offers: await readOffers(tx, deps, who.member),
      reviewReports: await readReviewReports(tx, id),
      reviewEmails: await wantsEmails(tx, "reviews", id),
      reviewedDeals: (await listReviewedDeals(tx, who.member, everything)).items,
      meetings: await readMeetings(tx, id),
      ...(await readInvitationData(tx, deps, id)),
      photos: await readPhotos(tx, id, deps.config.publicUrl),
      activity: await readActivity(tx, id),
    };
    await recordOwnChange(tx, { at, member: id, verb: "read own data" });
    return toJson(data);
  });
}

type Json<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Json<T[K]> } : T;

function toJson<T>(data: T): Json<T> {
  return JSON.parse(JSON.stringify(data));
}

async function readMember(tx: Tx, id: string) {
  const member = await tx
    .selectFrom("members")
    .select(["id as _id", "name", "email", "account_type as accountType"])
    .select(["also_buys as alsoBuys", "verify"])
    .select(["identity_checked_at", "verified_at", "verification_note"])
    .select(["photo as photoURL", "created_at", "confirmed_at", "suspended_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return {
    ...member,
    suspended: member.suspended_at !== null,
    joinedAt: member.created_at,
    confirmedAt: member.confirmed_at,
    verification: toVerification({ ...member, verified_by_name: null }),
  };
}

async function readSessions(tx: Tx, { identity }: Deps, { member, sessionId }: InSession) {
  const page = { first: sessionId, ...everything };
  const rows = await identity.sessions.list(tx, member.email, page);
  return rows.map((row) => ({ ...toSession(row, sessionId), address: row.ipAddress || null }));
}

async function readProducts(tx: Tx, sellerId: string) {
  const products = await selectProducts(tx)
    .leftJoin("laptop_facts", "laptop_facts.product_id", "products.id")
    .leftJoin("offer_floors", "offer_floors.product_id", "products.id")
    .select([factsColumn, serialEndColumn, "products.more_images", "offer_floors.floor_cents"])
    .where("products.seller_id", "=", sellerId)
    .orderBy("products.posted_at")
    .orderBy("products.id")
    .execute();
  return products.map((row) => ({
    ...toProductWithContact(row),
    images: [row.img, ...row.more_images],
    serial_end: row.serial_end,
    facts: toFacts(row.facts),
    offerFloor: row.floor_cents === null ? null : toDollars(row.floor_cents),
  }));
}

async function readPayments(tx: Tx, buyerId: string) {
  const rows = await tx
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .select(["payments.id as _id", "booking_id as bookingId", "transaction_id as transactionId"])
    .select(["amount_cents", "currency", "payments.state", "recorded_at as recordedAt"])
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom("disputes")
          .select(disputeColumns)
          .whereRef("payment_id", "=", "payments.id")
          .orderBy("opened_at"),
      ).as("disputes"),
    )
    .where("bookings.buyer_id", "=", buyerId)
    .orderBy("recorded_at")
    .execute();
  return rows.map(({ amount_cents, disputes, ...row }) => ({
    ...row,
    price: toDollars(amount_cents),
    disputes: disputes.map(toDispute),
  }));
}

async function readPayoutAccounts(tx: Tx, memberId: string) {
  return await tx
    .selectFrom("payout_accounts")
    .select(["account_id as _id", "created_at as connectedAt"])
    .where("member_id", "=", memberId)
    .execute();
}

async function readReports(tx: Tx, reporterId: string) {
  return await tx
    .selectFrom("reports")
    .innerJoin("products", "products.id", "reports.product_id")
    .select(["product_name", "comment", "reported_at as reportedAt"])
    .select(sql<boolean>`closed_at is not null`.as("closed"))
    .where("reporter_id", "=", reporterId)
    .orderBy("reported_at")
    .execute();
}

async function readOffers(tx: Tx, { clock }: Deps, member: Member) {
  const { items } = await listOffers({ db: tx, clock }, member, everything);
  const own = await tx
    .selectFrom("offers")
    .select(["id", "phone", "location"])
    .where("buyer_id", "=", member.id)
    .execute();
  const contactOf = new Map(own.map(({ id, phone, location }) => [id, { phone, location }]));
  const none = { phone: "", location: "" };
  return items.map((offer) => ({ ...offer, ...(contactOf.get(offer._id) ?? none) }));
}

async function readReviewReports(tx: Tx, id: string) {
  return await tx
    .selectFrom("review_reports")
    .select(["comment", "reported_at as reportedAt"])
    .where("reporter_id", "=", id)
    .orderBy("reported_at")
    .execute();
}

async function readMeetings(tx: Tx, memberId: string) {
  return await tx
    .selectFrom("meetings")
    .select(["booking_id as bookingId", "place", "state", "time_zone as timeZone"])
    .select(["starts_at as startsAt", "proposed_at as proposedAt"])
    .where("proposed_by", "=", memberId)
    .orderBy("proposed_at")
    .execute();
}

async function readPhotos(tx: Tx, memberId: string, publicUrl: string) {
  const uploaded = await tx
    .selectFrom("images")
    .select(sql<string>`${publicUrl}::text || '/images/' || sha256 || '.jpg'`.as("url"))
    .select(["bytes as size", "created_at as uploadedAt"])
    .where("member_id", "=", memberId)
    .orderBy("created_at")
    .execute();
  const sent = await tx
    .selectFrom("private_photos")
    .select(sql<string>`${publicUrl}::text || '/api/privatePhotos/' || id`.as("url"))
    .select(["bytes as size", "uploaded_at as uploadedAt"])
    .where("member_id", "=", memberId)
    .orderBy("uploaded_at")
    .execute();
  return [...uploaded, ...sent];
}

async function readActivity(tx: Tx, actorId: string) {
  return await tx
    .selectFrom("audit_log")
    .select(["at", "verb", "object", "object_id as objectId"])
    .where("actor_id", "=", actorId)
    .orderBy("id")
    .execute();
}
