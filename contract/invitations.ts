import { z } from "zod";
import { acknowledged, call, date, id, modified, ownPage } from "./call.ts";
import { noDiscountReasons } from "./invitation-rules.ts";
import { shownInvitationStates } from "./life-cycle.ts";
import { email } from "./text.ts";

export const creditChange = z.object({
  kind: z.enum(["credit_earned", "credit_spent", "credit_returned", "credit_expired"]),
  /** Whether the member gets this credit in place of an invited friend's discount. */
  ownDiscount: z.boolean(),
  at: date,
  /** In dollars; negative for credit that was spent or has expired. */
  amount: z.number(),
});

export type CreditChange = z.output<typeof creditChange>;

/** The inviter's view of an invitation, without the friend's email address and name. */
export const invitation = z.object({
  _id: id,
  /** The address that the inviter entered, mostly masked; empty if the friend joined by link. */
  shownAs: z.string(),
  state: z.enum(shownInvitationStates),
  invitedAt: date,
  /** The inviter's credit for this invitation so far, in dollars. */
  earned: z.number(),
});

export type Invitation = z.output<typeof invitation>;

export const ownInvitations = z.object({
  link: z.string(),
  code: z.string(),
  credit: z.object({
    balance: z.number(),
    next: z.object({ amount: z.number(), expiresAt: date }).nullable(),
    changes: z.array(creditChange),
  }),
});

export type OwnInvitations = z.output<typeof ownInvitations>;

export const readOwnInvitations = call("GET /invites/own", {
  access: "member",
  summary: "The caller's invitation link, and their credit",
  reads: ["invitations", "bookings", "payments"],
  limit: { max: 120, minutes: 10 },
  answers: { 200: ownInvitations },
});

export const listInvitations = call("GET /invites", {
  access: "member",
  summary: "Whom the caller has invited, newest first",
  reads: ["invitations", "bookings", "payments"],
  query: ownPage,
  paged: true,
  answers: { 200: z.array(invitation) },
});

const incomplete = "Enter the code from the invitation, such as K7WPM2QX.";

export const invitationCode = z
  .string(incomplete)
  .max(40, incomplete)
  .transform((value) => value.replaceAll(/[\s-]/g, "").toUpperCase())
  .pipe(z.string().regex(/^[2-9A-HJ-NP-Z]{8}$/, incomplete));

export const acceptInvitation = call("POST /invites/acceptance", {
  access: "member",
  summary:
    "Join by somebody's invitation, within 30 days of signing up; repeated, it changes nothing",
  changes: ["invitations"],
  body: z.object({ code: invitationCode }),
  limit: { max: 20, minutes: 60 },
  answers: { 201: acknowledged },
  refusals: ["NOT_FOUND", "STALE"],
});

export const readInvitationOffer = call("GET /invites/offer", {
  access: "member",
  summary: "Whether the caller has the discount of an invited friend",
  reads: ["invitations", "bookings", "payments"],
  answers: { 200: z.object({ hasDiscount: z.boolean() }) },
});

export const suspectInvitation = z.object({
  _id: id,
  inviter: z.object({ _id: id, name: z.string(), email: z.string() }),
  friend: z.object({ _id: id, name: z.string(), email: z.string() }),
  reason: z.string(),
  invitedAt: date,
  joinedAt: date,
  /** The friend's discounted purchase, if any. Its payout waits for the admin's decision. */
  purchase: z
    .object({
      discount: z.number(),
      seller: z.object({ _id: id, name: z.string(), email: z.string() }),
      /** Whether the seller shares a card, browser, mailbox or domain with friend or inviter. */
      sellerIsKnown: z.boolean(),
    })
    .nullable(),
  /**
   * In dollars, if the reward would exceed the shop's budget and awaits approval. Null while the
   * invitation itself is under review.
   */
  reward: z.number().nullable(),
  /**
   * The purchase that the friend made during the review, without the discount. Approval may give
   * credit for it.
   */
  missed: z
    .object({
      price: z.number(),
      /** The friend's credit in dollars; 0 if `noDiscount` is set. */
      friendCredit: z.number(),
      noDiscount: z.enum(noDiscountReasons).nullable(),
      inviterCredit: z.number(),
      /** Whether the credits together exceed the shop's budget, so an admin must allow them. */
      overBudget: z.boolean(),
    })
    .nullable(),
});

export type SuspectInvitation = z.output<typeof suspectInvitation>;

export const listSuspectInvitations = call("GET /suspectInvites", {
  access: "moderation",
  summary: "Invitations that look like abuse, newest first",
  reads: ["invitations", "members"],
  replica: true,
  paged: true,
  answers: { 200: z.array(suspectInvitation) },
});

export const decideInvitation = call("PUT /suspectInvites/{id}", {
  access: "moderation",
  summary: "Let an invitation earn its rewards, or refuse them for good",
  changes: ["invitations"],
  body: z.object({ approve: z.boolean("Send approve, true or false.") }),
  limit: { max: 600, minutes: 60 },
  answers: { 200: modified },
  refusals: ["STALE"],
});

export const inviteFriend = call("POST /invites", {
  access: "member",
  summary: "Invite a friend by email",
  changes: ["invitations"],
  body: z.object({ email }),
  confirmed: true,
  limit: { max: 10, minutes: 1_440 },
  answers: { 201: acknowledged },
});
