import { z } from "zod";
import { acknowledged, call } from "./call.ts";
import { email } from "./text.ts";

export const inviteFriend = call({
  method: "POST",
  path: "/invites",
  access: "member",
  summary: "Invite a friend by email",
  changes: [],
  body: z.object({ email }),
  confirmed: true,
  limit: { most: 10, minutes: 1_440 },
  answers: { 201: acknowledged },
  refusals: ["ADDRESS_NOT_CONFIRMED"],
});

export const incompleteLink = "This link is incomplete. Open the full link from the invitation.";

/** The link in an invitation. Mail providers send it with a form body (RFC 8058). */
export const unsubscribe = call({
  method: "POST",
  path: "/unsubscribe",
  at: "root",
  access: "public",
  summary:
    "Send no more invitations to the address an invitation went to; repeated, it changes nothing",
  changes: [],
  transport: "form",
  query: z.object({ token: z.string(incompleteLink).max(200, incompleteLink) }),
  limit: { most: 60, minutes: 10 },
  answers: { 200: acknowledged },
  refusals: [],
});
