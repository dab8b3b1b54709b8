import { z } from "zod";
import { acknowledged, call } from "./call.ts";
import { email } from "./text.ts";

export const inviteFriend = call({
  method: "POST",
  path: "/invites",
  access: "member",
  summary: "Invite a friend by email",
  changes: ["invitations"],
  body: z.object({ email }),
  confirmed: true,
  limit: { most: 10, minutes: 1_440 },
  answers: { 201: acknowledged },
  refusals: ["ADDRESS_NOT_CONFIRMED"],
});
