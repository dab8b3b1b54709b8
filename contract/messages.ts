import { z } from "zod";
import { byId, call, date, deleted, id, inserted, modified, ownPage } from "./call.ts";
import { meeting } from "./meetings.ts";
import { accountTypes } from "./members.ts";
import { attachedPhotos, privatePhoto } from "./private-photos.ts";
import { paragraphs } from "./text.ts";

/** Sellers per day to whom a buyer can write for the first time. */
export const maxNewContactsPerDay = 15;

/** Per hour, from one member to another. */
export const maxMessagesPerPair = 60;

/** Per member and server process. Each browser opens one stream. */
export const maxEventStreams = 6;

export const maxMessageLength = 2000;

export const message = z.object({
  _id: id,
  mine: z.boolean(),
  /** Empty after the sender's account is erased. */
  text: z.string(),
  /** Whether contact details in the text are hidden from the other side until payment. */
  hidden: z.boolean(),
  photos: z.array(privatePhoto),
  sentAt: date,
});

export type Message = z.output<typeof message>;

const messageProduct = z.object({
  _id: id,
  product_name: z.string(),
  /** Null if the listing is no longer public. */
  img: z.string().nullable(),
  /** The price in this buyer's unfinished deal, or else the listed price. */
  price: z.number(),
});

/** One per laptop and buyer. */
export const conversation = z.object({
  _id: id,
  product: messageProduct,
  role: z.enum(accountTypes),
  /** `active` is false for a suspended member or a deleted account. */
  other: z.object({ name: z.string(), active: z.boolean() }),
  unread: z.number(),
  /** Whether the caller has blocked the other side. */
  blocked: z.boolean(),
  /** Whether this buyer has paid, which makes contact details visible. */
  paid: z.boolean(),
  /** Whether the caller may send photos: sellers always, buyers only with a hold or purchase. */
  maySendPhotos: z.boolean(),
  deal: z.object({ _id: id, meeting: meeting.nullable() }).nullable(),
  lastMessage: message,
});

export type Conversation = z.output<typeof conversation>;

/** The sender chooses `key`. Retries with the same key send the message only once. */
const draft = {
  text: paragraphs("Write a message.", maxMessageLength),
  key: id,
};

export const newMessage = z.object({ ...draft, photos: attachedPhotos });

const eventMessage = "after must be the number of an event.";
const eventNumber = z.coerce.number(eventMessage).int(eventMessage).min(0, eventMessage);

export const listConversations = call("GET /conversations", {
  access: "member",
  summary: "The caller's conversations, the last written one first",
  reads: ["messages", "products", "bookings"],
  query: ownPage,
  paged: true,
  answers: { 200: z.array(conversation) },
});

export const readConversation = call("GET /conversations/{id}", {
  access: "member",
  summary: "One of the caller's conversations",
  reads: ["messages", "products", "bookings"],
  answers: { 200: conversation },
});

export const listMessages = call("GET /conversations/{id}/messages", {
  access: "member",
  summary: "The messages of one of the caller's conversations, newest first",
  reads: ["messages", "bookings"],
  paged: true,
  answers: { 200: z.array(message) },
});

export const askSeller = call("POST /conversations", {
  access: "buyer",
  summary: "Write to the seller of a laptop; the id is the conversation's",
  changes: ["messages"],
  body: z.object({ ...draft, product: byId }),
  confirmed: true,
  limit: { max: 60, minutes: 60 },
  answers: { 201: inserted },
  refusals: ["NOT_FOUND", "BLOCKED", "GONE"],
});

export const messageBuyer = call("POST /bookingProducts/{id}/messages", {
  access: "seller",
  openWhileClosed: true,
  summary: "Write to the buyer of a held or sold laptop; the id is the conversation's",
  changes: ["messages"],
  body: z.object(draft),
  confirmed: true,
  limit: { max: 60, minutes: 60 },
  answers: { 201: inserted },
  refusals: ["BLOCKED", "GONE"],
});

export const sendMessage = call("POST /conversations/{id}/messages", {
  access: "member",
  openWhileClosed: true,
  summary: "Write to the other side of a conversation; the id is the message's",
  changes: ["messages"],
  // A reply can change the seller's usual reply time.
  changesPublicAnswers: true,
  body: newMessage,
  confirmed: true,
  limit: { max: 120, minutes: 60 },
  answers: { 201: inserted },
  refusals: ["BLOCKED", "GONE", "IMAGE_NOT_OURS", "STALE"],
});

export const markConversationRead = call("PUT /conversations/{id}/read", {
  access: "member",
  summary: "Mark the messages sent until a time as read",
  changes: ["messages"],
  body: z.object({ until: z.iso.datetime("Send the time of the newest message that was read.") }),
  limit: { max: 600, minutes: 10 },
  answers: { 200: modified },
});

export const blockMember = call("PUT /conversations/{id}/block", {
  access: "member",
  summary:
    "Block the other side, in all conversations, or end that; blocking ends unpaid holds between the two",
  changes: ["messages"],
  body: z.object({ blocked: z.boolean("Send whether to block the other side.") }),
  limit: { max: 60, minutes: 60 },
  answers: { 200: modified },
});

export const reportConversation = call("POST /conversations/{id}/reports", {
  access: "member",
  summary: "Report a conversation to the admins, who may then read it",
  changes: ["conversationReports"],
  body: z.object({
    comment: paragraphs("Tell us what is wrong with these messages.", 2000),
  }),
  limit: { max: 30, minutes: 60 },
  answers: { 201: inserted },
  refusals: ["ALREADY_REPORTED"],
});

export const readMessageInbox = call("GET /messageInbox", {
  access: "member",
  summary: "How many unread messages the caller has, and whether they get emails about them",
  reads: ["messages"],
  answers: { 200: z.object({ unread: z.number(), emails: z.boolean() }) },
});

export const setMessageEmails = call("PUT /messageInbox", {
  access: "member",
  summary: "Turn emails about messages on or off",
  changes: ["messages"],
  body: z.object({ emails: z.boolean("Send whether to get emails.") }),
  limit: { max: 100, minutes: 60 },
  answers: { 200: modified },
});

/** The next request sends this `event` as `after`. */
export const messageEvents = z.object({
  event: z.number(),
  conversations: z.array(id),
});

export type MessageEvents = z.output<typeof messageEvents>;

/**
 * With `Accept: text/event-stream`, a `changes` event has `messageEvents` as its data and `event`
 * as its id. A `deals` event has no id. The stream starts after the event in `Last-Event-ID`.
 */
export const readMessageEvents = call("GET /messageEvents", {
  access: "member",
  summary:
    "The caller's conversations that changed after an event; as a stream of server-sent events if `text/event-stream` is accepted",
  reads: ["messages"],
  query: z.object({ after: eventNumber.optional() }),
  limit: { max: 600, minutes: 10 },
  answers: { 200: messageEvents },
});

export const conversationReport = z.object({
  _id: id,
  comment: z.string(),
  reportedAt: date,
  product: messageProduct.omit({ img: true, price: true }),
  reporter: z.object({ name: z.string(), email: z.string(), role: z.enum(accountTypes) }),
  other: z.object({ name: z.string(), email: z.string() }),
});

export type ConversationReport = z.output<typeof conversationReport>;

export const listConversationReports = call("GET /conversationReports", {
  access: "moderation",
  summary: "The reported conversations, newest first",
  reads: ["conversationReports"],
  replica: true,
  paged: true,
  answers: { 200: z.array(conversationReport) },
});

/** `mine`: the reporter sent the message. Hidden contact details stay hidden. */
export const readReportedMessages = call("GET /conversationReports/{id}/messages", {
  access: "moderation",
  summary:
    "The newest messages of a reported conversation, while the report is open; `mine` are the reporter's. Reading is recorded in the audit log",
  reads: ["conversationReports"],
  paged: true,
  answers: { 200: z.array(message) },
});

export const closeConversationReport = call("DELETE /conversationReports/{id}", {
  access: "moderation",
  summary: "Close a report of a conversation; its audit rows stay",
  changes: ["conversationReports"],
  limit: { max: 600, minutes: 60 },
  answers: { 200: deleted },
});
