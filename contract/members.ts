import { z } from "zod";
import { acknowledged, call, date, deleted, id, inserted, modified, page } from "./call.ts";
import { email, emailedToken, plainName } from "./text.ts";

/** `email`: confirmed. `identity`: checked by the card provider (decisions/verification). */
const sellerChecks = ["admin", "email", "identity"] as const;
export type SellerCheck = (typeof sellerChecks)[number];

/** Empty for sellers who aren't verified. */
export const checksOfSeller = z.array(z.enum(sellerChecks));

export const verification = z.object({
  emailConfirmedAt: date.nullable(),
  identityCheckedAt: date.nullable(),
  /** When an admin checked the seller, and that admin's name, if recorded. */
  verifiedAt: date.nullable(),
  verifiedBy: z.string().nullable(),
  note: z.string().nullable(),
});

export type Verification = z.output<typeof verification>;

const maxNoteLetters = 500;

/** Account types (specification 9), and the two sides of a deal. */
export const accountTypes = ["buyer", "seller"] as const;
export type AccountType = (typeof accountTypes)[number];

/** An admin's view of a member (specification 3). */
export const user = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  accountType: z.enum(accountTypes),
  /** Whether this seller is a buyer as well. */
  alsoBuys: z.boolean(),
  verify: z.boolean(),
  verification,
  suspended: z.boolean(),
});

export type User = z.output<typeof user>;

export const newUser = z.object({
  name: plainName("Name is Required.", 80),
  email,
  accountType: z.enum(accountTypes, "Choose an account type: buyer or seller."),
});

export const issueToken = call("GET /jwt", {
  access: "identity",
  openWhileClosed: true,
  summary: "An access token for 15 minutes, for the caller's own address",
  reads: ["account"],
  query: z.object({ email }),
  answers: { 200: z.object({ accessToken: z.string() }) },
  refusals: ["NOT_YOUR_ADDRESS", "NOT_A_MEMBER"],
});

export const joinAsMember = call("POST /users", {
  access: "identity",
  summary: "Become a member after signing up; repeated, it changes nothing",
  changes: ["account", "members"],
  body: newUser,
  limit: { max: 20, minutes: 60 },
  answers: { 201: inserted, 200: inserted },
  refusals: ["NOT_YOUR_ADDRESS"],
});

export const upsertMember = call("PUT /users", {
  access: "identity",
  summary:
    "Become a member as a buyer after signing in with Google, or update the name; never the role",
  changes: ["account", "members", "products"],
  body: newUser,
  limit: { max: 60, minutes: 60 },
  answers: {
    200: acknowledged.extend({
      matchedCount: z.number(),
      modifiedCount: z.number(),
      upsertedId: id.nullable(),
    }),
  },
  refusals: ["NOT_YOUR_ADDRESS"],
});

/** Specification 4.2. */
export const profileForm = z.object({
  name: plainName("Name is Required.", 80),
  /** From `uploadPhoto`. Null removes the photo; undefined keeps it. */
  photoURL: z.string().max(500).nullable().optional(),
});

export const updateProfile = call("PUT /users/profile", {
  access: "member",
  summary: "Change the caller's name and photo",
  changes: ["account", "members", "products"],
  body: profileForm,
  limit: { max: 60, minutes: 60 },
  answers: { 200: acknowledged.extend({ name: z.string(), photoURL: z.string().nullable() }) },
  refusals: ["IMAGE_NOT_OURS"],
});

export const readConfirmation = call("GET /users/confirmation", {
  access: "member",
  summary: "Whether the caller's email address is confirmed, and whether it has to be",
  reads: ["account"],
  answers: { 200: z.object({ confirmed: z.boolean(), required: z.boolean() }) },
});

export const resendConfirmation = call("POST /users/confirmation/mail", {
  access: "member",
  summary: "Send the caller another confirmation link",
  changes: [],
  limit: { max: 20, minutes: 60 },
  answers: { 201: acknowledged },
  refusals: ["ALREADY_CONFIRMED"],
});

export const confirmAddress = call("POST /users/confirmation", {
  access: "public",
  openWhileClosed: true,
  summary: "Confirm an email address with the token from the emailed link",
  changes: ["account"],
  body: z.object({ token: emailedToken }),
  limit: { max: 6, minutes: 10 },
  answers: { 200: acknowledged.extend({ already: z.boolean() }) },
  refusals: ["LINK_EXPIRED"],
});

export const isAdmin = call("GET /users/admin/{email}", {
  access: "self",
  summary: "Whether the member is an admin",
  reads: ["account"],
  params: z.object({ email }),
  answers: { 200: z.object({ isAdmin: z.boolean() }) },
});

export const isSeller = call("GET /users/seller/{email}", {
  access: "self",
  summary: "Whether the member is a seller, a verified one, and a buyer too",
  reads: ["account"],
  params: z.object({ email }),
  answers: {
    200: z.object({
      isSeller: z.boolean(),
      verify: z.boolean(),
      alsoBuys: z.boolean(),
    }),
  },
});

export const addRole = call("PUT /users/roles", {
  access: "member",
  summary: "Sell as a buyer too, or buy as a seller too; repeated, it changes nothing",
  changes: ["account", "members"],
  body: z.object({ role: z.enum(accountTypes, "Choose the role to add: buyer or seller.") }),
  limit: { max: 20, minutes: 60 },
  answers: { 200: acknowledged },
});

export const memberFilter = z.object({
  search: z.string().trim().max(254, "Use at most 254 characters.").optional(),
});

export const listBuyers = call("GET /buyers", {
  access: "admin",
  summary: "The buyers, newest first, searched by the start of their name or email",
  reads: ["members"],
  replica: true,
  query: page.extend(memberFilter.shape),
  paged: true,
  answers: { 200: z.array(user) },
});

export const listSellers = call("GET /sellers", {
  access: "admin",
  summary: "The sellers, newest first, searched by the start of their name or email",
  reads: ["members"],
  replica: true,
  query: page.extend(memberFilter.shape),
  paged: true,
  answers: { 200: z.array(user) },
});

export const deleteUser = call("DELETE /users/{id}", {
  access: "owner",
  summary: "Delete a buyer or seller; their unpaid holds end first",
  changes: ["members", "products", "bookings"],
  limit: { max: 600, minutes: 60 },
  answers: { 200: deleted },
  refusals: ["IN_USE", "PROVIDER_UNAVAILABLE"],
});

export const toggleSuspension = call("PUT /users/suspension", {
  access: "moderation",
  summary:
    "Suspend a buyer or seller, or restore them; send the current value. Suspended, they can't sign in, their sessions and unpaid holds end, and their listings are hidden",
  changes: ["members", "products", "bookings"],
  body: z.object({ id, suspended: z.boolean("Send the current value, true or false.") }),
  limit: { max: 600, minutes: 60 },
  answers: { 200: modified.extend({ suspended: z.boolean() }) },
  refusals: ["STALE", "IN_USE", "NOT_FOUND"],
});

export const endMemberSessions = call("DELETE /users/{id}/sessions", {
  access: "support",
  summary: "End all sessions of a member",
  changes: ["sessions"],
  limit: { max: 600, minutes: 60 },
  answers: { 200: acknowledged.extend({ deletedCount: z.number() }) },
});

export const toggleSellerStatus = call("PUT /users/sellerStatus", {
  access: "moderation",
  summary: "Verify a seller and all their products, or undo it; send the current value",
  changes: ["members", "products"],
  body: z.object({ id, email, verify: z.boolean("Send the current verify value, true or false.") }),
  limit: { max: 600, minutes: 60 },
  answers: { 200: modified.extend({ verify: z.boolean() }) },
  refusals: ["STALE", "NOT_FOUND"],
});

export const noteVerification = call("PUT /users/sellerStatus/note", {
  access: "moderation",
  summary: "Write down for other admins why a seller is verified; empty removes the note",
  changes: ["members"],
  body: z.object({
    id,
    note: z
      .string("Write a note.")
      .trim()
      .max(maxNoteLetters, `Use at most ${maxNoteLetters} characters.`),
  }),
  limit: { max: 600, minutes: 60 },
  answers: { 200: acknowledged },
  refusals: ["NOT_FOUND"],
});
