import { z } from "zod";
import { acknowledged, call } from "./call.ts";

/** What the emails that aren't transactional are about; each ends by the link in them. */
export const emailTopics = [
  "saved-laptops",
  "saved-search",
  "messages",
  "reviews",
  "invitations",
] as const;
export type EmailTopic = (typeof emailTopics)[number];

export const incompleteLink = "This link is incomplete. Open the full link from the email.";

/** What the token of an unsubscribe link ends. */
export function topicOf(token: string): EmailTopic {
  return emailTopics.find((topic) => token.startsWith(`${topic}:`)) ?? "invitations";
}

/** The link in an email that isn't transactional. Mail providers send it with a form body (RFC 8058). */
export const unsubscribe = call({
  method: "POST",
  path: "/unsubscribe",
  at: "root",
  access: "public",
  summary: "Send no more emails of the kind that the link was in; repeated, it changes nothing",
  changes: ["saved", "messages", "reviewEmails"],
  transport: "form",
  query: z.object({ token: z.string(incompleteLink).max(200, incompleteLink) }),
  limit: { most: 60, minutes: 10 },
  answers: { 200: acknowledged },
  refusals: [],
});
