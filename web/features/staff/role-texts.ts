import type { StaffRole } from "#contract/roles.ts";
import { staffRoles } from "#contract/staff.ts";

export const roleNames: Record<StaffRole, string> = {
  owner: "Owner",
  moderation: "Moderation",
  support: "Support",
  finance: "Finance",
};

/** All roles may also read the overview and the member lists. */
export const roleTexts: Record<StaffRole, string> = {
  owner:
    "Everything: also the shop's settings, the staff, Health, the audit log and deleting members.",
  moderation:
    "Reports, listings and invitations to check. Takes listings down, and verifies and suspends members.",
  support: "Complaints and returns, with the records and messages of deals. Signs members out.",
  finance: "Payments, refunds, payouts, disputes and the ledger, with the records of deals.",
};

export const roleOptions = staffRoles.map((value) => ({ value, label: roleNames[value] }));
