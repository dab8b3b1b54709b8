import { z } from "zod";
import { acknowledged, call, date, deleted, id, inserted, modified } from "./call.ts";
import type { StaffRole } from "./roles.ts";
import { email, emailedToken } from "./text.ts";

export const staffRoles = [
  "owner",
  "moderation",
  "support",
  "finance",
] as const satisfies StaffRole[];

const role = z.enum(staffRoles, "Choose a role: owner, moderation, support or finance.");

export const staffInvitationDays = 7;

export const staffMember = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  role,
  /** Null if not recorded. */
  since: date.nullable(),
});

export type StaffMember = z.output<typeof staffMember>;

export const staffInvitation = z.object({
  _id: id,
  email: z.string(),
  role,
  expiresAt: date,
});

export type StaffInvitation = z.output<typeof staffInvitation>;

export const listOwners = call("GET /staff/owners", {
  access: "admin",
  summary: "The names of the owners, whom an admin can ask for another role",
  reads: ["staff"],
  answers: { 200: z.array(z.string()) },
});

export const listStaff = call("GET /staff", {
  access: "owner",
  summary: "The admins with their roles, and the open invitations",
  reads: ["staff"],
  answers: {
    200: z.object({ staff: z.array(staffMember), invitations: z.array(staffInvitation) }),
  },
});

const limit = { max: 60, minutes: 60 };

export const changeStaffRole = call("PUT /staff/{id}", {
  access: "owner",
  limit,
  summary: "Give an admin another role; needs a recent sign-in",
  changes: ["staff", "account"],
  body: z.object({ role }),
  answers: { 200: modified },
  refusals: ["CONFIRM_PASSWORD", "CONFIRM_PROVIDER", "IN_USE"],
});

export const removeStaff = call("DELETE /staff/{id}", {
  access: "owner",
  limit,
  summary: "Make an admin an ordinary member; needs a recent sign-in",
  changes: ["staff", "account", "members"],
  answers: { 200: deleted },
  refusals: ["CONFIRM_PASSWORD", "CONFIRM_PROVIDER", "IN_USE"],
});

export const staffInvitationForm = z.object({ email, role });

export const inviteStaff = call("POST /staff/invitations", {
  access: "owner",
  limit,
  summary: `Email somebody a link to join the staff, valid for ${staffInvitationDays} days; needs a recent sign-in. An earlier link to the address ends`,
  changes: ["staff"],
  body: staffInvitationForm,
  answers: { 201: inserted },
  refusals: ["CONFIRM_PASSWORD", "CONFIRM_PROVIDER", "IN_USE"],
});

export const revokeStaffInvitation = call("DELETE /staff/invitations/{id}", {
  access: "owner",
  limit,
  summary: "Take back an invitation to the staff",
  changes: ["staff"],
  answers: { 200: deleted },
});

export const acceptStaffInvitation = call("POST /staff/invitations/acceptance", {
  access: "member",
  limit: { max: 20, minutes: 60 },
  summary: "Join the staff with the token from the emailed link",
  changes: ["staff", "account", "members"],
  body: z.object({ token: emailedToken }),
  answers: { 200: acknowledged },
  refusals: ["ADDRESS_NOT_CONFIRMED", "IN_USE", "LINK_EXPIRED", "NOT_YOUR_ADDRESS"],
});
