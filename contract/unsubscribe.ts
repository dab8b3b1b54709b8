import { z } from "zod";
import { acknowledged, call } from "./call.ts";

/** None of these emails is transactional, so each has an unsubscribe link. */
export const emailTopics = [
  "saved-laptops",
  "saved-search",
  "messages",
  "reviews",
  "invitations",
] as const;
export type EmailTopic = (typeof emailTopics)[number];

export const incompleteLink = "This link is incomplete. Open the full link from the email.";

export function topicOf(token: string): EmailTopic {
  return emailTopics.find((topic) => token.startsWith(`${topic}:`)) ?? "invitations";
}

/** Mail providers send a form body (RFC 8058). */
export const unsubscribe = call("POST /unsubscribe", {
  at: "root",
  access: "public",
  openWhileClosed: true,
  summary: "Send no more emails of the kind that the link was in; repeated, it changes nothing",
  changes: ["saved", "messages", "reviewEmails"],
  transport: "form",
  query: z.object({ token: z.string(incompleteLink).max(200, incompleteLink) }),
  limit: { max: 60, minutes: 10 },
  answers: { 200: acknowledged },
});
