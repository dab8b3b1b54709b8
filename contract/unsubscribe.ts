import { z } from "zod";
import { acknowledged, call } from "./call.ts";

/** Emails that a member asked for, and can end by the link in each of them. */
export const alertKinds = ["saved-laptops", "saved-search", "messages", "reviews"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const incompleteLink = "This link is incomplete. Open the full link from the email.";

/** What the token of an unsubscribe link ends; anything else than an alert is an invitation. */
export function topicOf(token: string): AlertKind | "invitations" {
  return alertKinds.find((kind) => token.startsWith(`${kind}:`)) ?? "invitations";
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
