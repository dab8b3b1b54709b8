import { z } from "zod";
import { cacheTags } from "./cache-tags.ts";
import { call, date, deleted, id, inserted, modified, ownPage } from "./call.ts";
import { accountTypes } from "./members.ts";
import { paragraphs } from "./text.ts";

/** Counted from the handover. */
export const reviewDays = 14;

export const maxReviewLength = 2000;
export const maxReplyLength = 1000;

/** The mean to one decimal, and the number of reviews. */
export const rating = z.object({ stars: z.number(), reviews: z.number() });

export type Rating = z.output<typeof rating>;

const stars = z.number("Choose from one to five stars.").int().min(1).max(5);

const reviewText = paragraphs("Write how it went.", maxReviewLength);

/** The server removes phone numbers, email addresses and links from the text. */
export const reviewForm = z.object({
  stars: z.coerce.number("Choose from one to five stars.").pipe(stars),
  text: reviewText,
});

export const newReview = z.object({ booking: id, stars, text: reviewText });

export const replyForm = z.object({ text: paragraphs("Write your reply.", maxReplyLength) });

export const review = z.object({
  _id: id,
  /** First name and initial; "Former member" once the account is deleted. */
  author: z.string(),
  /** The author's side. */
  role: z.enum(accountTypes),
  product_name: z.string(),
  stars: z.number(),
  text: z.string(),
  publishedAt: date,
  reply: z.string().nullable(),
});

export type Review = z.output<typeof review>;

/** The text is empty if an admin removed the review. */
const ownReview = review
  .pick({ _id: true, stars: true, text: true, reply: true })
  .extend({ writtenAt: date, removed: z.boolean() });

export const reviewedDeal = z.object({
  /** The booking's id. */
  _id: id,
  product: z.object({ _id: id, product_name: z.string(), img: z.string().nullable() }),
  role: z.enum(accountTypes),
  other: z.object({ name: z.string() }),
  closesAt: date,
  /** Whether the reviews are published: once both are written, or after the deadline. */
  published: z.boolean(),
  mine: ownReview.nullable(),
  /** Null until the reviews are published, or if the other side wrote none. */
  theirs: ownReview.nullable(),
});

export type ReviewedDeal = z.output<typeof reviewedDeal>;

export const listReviewedDeals = call("GET /reviews", {
  access: "member",
  summary: "The caller's completed deals with their reviews, the last handed over first",
  reads: ["reviews", "bookings"],
  query: ownPage,
  paged: true,
  answers: { 200: z.array(reviewedDeal) },
});

export const writeReview = call("POST /reviews", {
  access: "member",
  openWhileClosed: true,
  summary:
    "Review the other side of a completed deal, once; both reviews are published together, when both are written or after 14 days",
  changes: ["reviews", "bookings", "products"],
  body: newReview,
  confirmed: true,
  limit: { max: 60, minutes: 60 },
  answers: { 201: inserted },
  refusals: ["NOT_FOUND", "ALREADY_REVIEWED", "REVIEWS_CLOSED"],
});

export const replyToReview = call("PUT /reviews/{id}/reply", {
  access: "member",
  openWhileClosed: true,
  summary: "Reply to a published review about the caller, once",
  changes: ["reviews"],
  body: replyForm,
  confirmed: true,
  limit: { max: 60, minutes: 60 },
  answers: { 200: modified },
  refusals: ["STALE"],
});

export const reportReview = call("POST /reviews/{id}/reports", {
  access: "member",
  summary: "Report a published review to the admins",
  changes: ["reviewReports"],
  body: z.object({ comment: paragraphs("Tell us what is wrong with this review.", 2000) }),
  limit: { max: 30, minutes: 60 },
  answers: { 201: inserted },
  refusals: ["ALREADY_REPORTED"],
});

export const reviewReport = z.object({
  _id: id,
  comment: z.string(),
  reportedAt: date,
  reporter: z.object({ name: z.string(), email: z.string() }),
  /** `author` wrote the review about `subject`. */
  author: z.object({ name: z.string(), email: z.string() }),
  subject: z.object({ name: z.string(), email: z.string() }),
  review: review.omit({ author: true }),
});

export type ReviewReport = z.output<typeof reviewReport>;

export const listReviewReports = call("GET /reviewReports", {
  access: "moderation",
  summary: "The reported reviews, newest first",
  reads: ["reviewReports"],
  replica: true,
  paged: true,
  answers: { 200: z.array(reviewReport) },
});

export const closeReviewReport = call("DELETE /reviewReports/{id}", {
  access: "moderation",
  summary: "Close a report of a review, which stays; its audit rows stay as well",
  changes: ["reviewReports"],
  limit: { max: 600, minutes: 60 },
  answers: { 200: deleted },
});

export const removeReview = call("PUT /reviews/{id}/removal", {
  access: "moderation",
  summary:
    "Remove a published review for a reason, which the audit log keeps; its reports are closed",
  changes: ["reviews", "reviewReports"],
  body: z.object({ reason: paragraphs("Write why you are removing this review.", 500) }),
  limit: { max: 600, minutes: 60 },
  answers: { 200: modified },
});

export const readReviewEmails = call("GET /reviewEmails", {
  access: "member",
  summary: "Whether the caller gets emails about reviews",
  reads: ["reviewEmails"],
  answers: { 200: z.object({ emails: z.boolean() }) },
});

export const setReviewEmails = call("PUT /reviewEmails", {
  access: "member",
  summary: "Turn emails about reviews on or off",
  changes: ["reviewEmails"],
  body: z.object({ emails: z.boolean("Send whether to get emails.") }),
  limit: { max: 100, minutes: 60 },
  answers: { 200: modified },
});

export const listSellerReviews = call("GET /sellers/{id}/reviews", {
  access: "public",
  summary: "The published reviews about a seller, newest first",
  reads: ["reviews"],
  replica: true,
  cacheTags: ({ params }) => [cacheTags.seller((params as { id: string }).id)],
  paged: true,
  answers: { 200: z.array(review) },
  refusals: ["GONE"],
});
