import { z } from "zod";
import { acknowledged, call } from "./call.ts";

/** Topics of emails that aren't transactional. Each such email has an unsubscribe link. */
export const emailTopics = [
  "saved-laptops",
  "saved-search",
  "messages",
  "reviews",
  "invitations",
] as const;
export type EmailTopic = (typeof emailTopics)[number];

export const incompleteLink = "This link is incomplete. Open the full link from the email.";

/** The topic that an unsubscribe link's token names. */
export function topicOf(token: string): EmailTopic {
  return emailTopics.find((topic) => token.startsWith(`${topic}:`)) ?? "invitations";
}

/** The unsubscribe link in emails. Mail providers call it with a form body (RFC 8058). */
export const unsubscribe = call({
  method: "POST",
  path: "/unsubscribe",
  at: "root",
  access: "public",
  openWhileClosed: true,
  summary: "Send no more emails of the kind that the link was in; repeated, it changes nothing",
  changes: ["saved", "messages", "reviewEmails"],
  transport: "form",
  query: z.object({ token: z.string(incompleteLink).max(200, incompleteLink) }),
  limit: { most: 60, minutes: 10 },
  answers: { 200: acknowledged },
  refusals: [],
});
