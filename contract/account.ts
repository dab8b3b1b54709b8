import { z } from "zod";
import { booking } from "./bookings.ts";
import { acknowledged, call, date, deleted, id, resources } from "./call.ts";
import { complaint } from "./complaints.ts";
import { facts } from "./facts.ts";
import { invitation, ownInvitations } from "./invitations.ts";
import { meetingStates, paymentStates } from "./life-cycle.ts";
import { user, verification } from "./members.ts";
import { conversation, message } from "./messages.ts";
import { offer } from "./offers.ts";
import { dispute } from "./payments.ts";
import { payout, sale } from "./payouts.ts";
import { productWithContact } from "./products.ts";
import { reviewedDeal } from "./reviews.ts";
import { savedSearch } from "./saved-searches.ts";
import { staffRoles } from "./staff.ts";

export const session = z.object({
  _id: z.string(),
  /** Browser and system from the User-Agent header, such as "Chrome on Windows". */
  device: z.string(),
  startedAt: date,
  lastSeenAt: date,
  current: z.boolean(),
});

export type Session = z.output<typeof session>;

export const listSessions = call("GET /users/sessions", {
  access: "member",
  summary: "The caller's sessions: this one, then the others by last use, at most 100",
  reads: ["sessions"],
  answers: { 200: z.array(session) },
});

export const endSession = call("DELETE /users/sessions/{id}", {
  access: "member",
  summary: "End one of the caller's sessions",
  changes: ["sessions"],
  params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
  limit: { max: 100, minutes: 60 },
  answers: { 200: deleted },
  refusals: ["CONFIRM_PASSWORD", "CONFIRM_PROVIDER"],
});

export const endOtherSessions = call("DELETE /users/sessions", {
  access: "member",
  summary: "End all of the caller's sessions except this one",
  changes: ["sessions"],
  limit: { max: 30, minutes: 60 },
  answers: { 200: acknowledged.extend({ deletedCount: z.number() }) },
  refusals: ["CONFIRM_PASSWORD", "CONFIRM_PROVIDER"],
});

const secondFactors = z.object({
  /** Whether signing in, by password or provider, also requires an authenticator code. */
  authenticatorApp: z.boolean(),
  passkeys: z.array(z.object({ _id: z.string(), name: z.string(), addedAt: date })),
  hasPassword: z.boolean(),
  /** Whether the caller is an admin who must use a second factor. */
  required: z.boolean(),
  /** Whether the caller has used a second factor in this session. */
  shown: z.boolean(),
  /** The caller's role if they are an admin, even before they have used the second factor. */
  staffRole: z.enum(staffRoles).nullable(),
});

export type SecondFactors = z.output<typeof secondFactors>;

export const readSecondFactors = call("GET /users/secondFactors", {
  access: "member",
  summary: "The caller's two-step verification and passkeys",
  reads: ["secondFactors", "account"],
  answers: { 200: secondFactors },
});

export const passwordForm = z.object({
  password: z.string("Password is required.").min(1, "Password is required.").max(128),
});

export const confirmPassword = call("PUT /users/sessions/proof", {
  access: "member",
  summary:
    "Confirm the password; for ten minutes the session may delete the account and end other sessions",
  changes: [],
  body: passwordForm,
  limit: { max: 10, minutes: 15 },
  answers: { 200: acknowledged },
  refusals: ["WRONG_PASSWORD"],
});

export const memberData = z.object({
  writtenAt: date,
  member: user.extend({
    photoURL: z.string().nullable(),
    joinedAt: date,
    confirmedAt: date.nullable(),
    // The identity of the verifying admin is not this member's data.
    verification: verification.omit({ verifiedBy: true }),
  }),
  signInMethods: z.array(z.object({ method: z.string(), since: date })),
  sessions: z.array(session.extend({ address: z.string().nullable() })),
  products: z.array(
    productWithContact.extend({
      images: z.array(z.string()),
      serial_end: z.string().nullable(),
      facts,
      offerFloor: z.number().nullable(),
    }),
  ),
  bookings: z.array(booking),
  payments: z.array(
    z.object({
      _id: id,
      bookingId: id,
      transactionId: z.string(),
      price: z.number(),
      currency: z.string(),
      state: z.enum(paymentStates),
      recordedAt: date,
      disputes: z.array(dispute),
    }),
  ),
  complaints: z.array(
    complaint.pick({ _id: true, reason: true, words: true, openedAt: true, answer: true }),
  ),
  sales: z.array(sale),
  payoutAccounts: z.array(z.object({ _id: z.string(), connectedAt: date })),
  payouts: z.array(payout),
  reports: z.array(
    z.object({
      product_name: z.string(),
      comment: z.string(),
      reportedAt: date,
      closed: z.boolean(),
    }),
  ),
  savedProducts: z.array(
    z.object({ _id: id, product_name: z.string(), savedAt: date, savedPrice: z.number() }),
  ),
  savedEmails: z.boolean(),
  savedSearches: z.array(savedSearch),
  messageEmails: z.boolean(),
  conversations: z.array(
    conversation.pick({ _id: true, role: true, blocked: true }).extend({
      product_name: z.string(),
      messages: z.array(message),
      reports: z.array(z.string()),
    }),
  ),
  offers: z.array(
    offer.extend({
      /** The buyer's contact details; empty if the member is the seller or the offer is closed. */
      phone: z.string(),
      location: z.string(),
    }),
  ),
  reviewReports: z.array(z.object({ comment: z.string(), reportedAt: date })),
  reviewEmails: z.boolean(),
  /** Null if the member has no code yet. */
  invitationCode: z.string().nullable(),
  invitations: z.array(invitation),
  credit: ownInvitations.shape.credit,
  /** The number of keyed hashes stored to detect second accounts (decisions/rewards). */
  traces: z.number(),
  reviewedDeals: z.array(reviewedDeal),
  /** The places and times that the member proposed for handovers. */
  meetings: z.array(
    z.object({
      bookingId: id,
      place: z.string(),
      startsAt: date,
      timeZone: z.string(),
      state: z.enum(meetingStates),
      proposedAt: date,
    }),
  ),
  photos: z.array(z.object({ url: z.string(), size: z.number(), uploadedAt: date })),
  activity: z.array(z.object({ at: date, verb: z.string(), object: z.string(), objectId: id })),
});

export type MemberData = z.output<typeof memberData>;

export const readOwnData = call("GET /users/profile/data", {
  access: "member",
  summary: "Everything stored about the caller",
  reads: resources,
  limit: { max: 10, minutes: 60 },
  answers: { 200: memberData },
});

export const deleteAccount = call("DELETE /users/profile", {
  access: "member",
  summary: "Delete the caller's account",
  changes: ["account", "members", "products", "bookings"],
  limit: { max: 10, minutes: 60 },
  answers: { 200: deleted },
  refusals: ["CONFIRM_PASSWORD", "CONFIRM_PROVIDER", "IN_USE"],
});
