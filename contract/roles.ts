/**
 * The access that a role gives. `admin`: what every role may do. `deals`: deal records, which
 * support needs to decide complaints, and finance needs to send money.
 */
export const staffAccess = ["admin", "moderation", "support", "finance", "deals", "owner"] as const;

export type StaffAccess = (typeof staffAccess)[number];

/**
 * The roles of staff, who are also called admins. An owner may do everything. Each call names the
 * access that it needs in `access`, such as `refundBooking` in contract/payments.ts. The check is
 * in server/http/authorization.ts (decisions/staff-roles).
 */
export type StaffRole = Exclude<StaffAccess, "admin" | "deals">;

/** Whether a role grants this access. `role` is null for members who aren't admins. */
export function mayAct(role: StaffRole | null, access: StaffAccess): boolean {
  if (role === null) return false;
  if (access === "deals") return role !== "moderation";
  return access === "admin" || role === "owner" || role === access;
}

export function isStaffAccess(word: string): word is StaffAccess {
  return staffAccess.some((access) => access === word);
}

/**
 * Who, apart from staff, may make a call. `self`: the member whose `{email}` is in
 * the path, or an admin. `provider`: the card provider, identified by its signature.
 */
const otherAccess = [
  "public",
  "identity",
  "member",
  "buyer",
  "seller",
  "self",
  "provider",
] as const;

export type Access = StaffAccess | (typeof otherAccess)[number];

export function isAccess(word: string): word is Access {
  return isStaffAccess(word) || otherAccess.some((access) => access === word);
}

/** `alsoBuys`: a seller who is also a buyer (decisions/members). */
export type Roles = { isAdmin: boolean; isSeller: boolean; alsoBuys: boolean };

/** Whether a member buys: neither seller nor admin (specification 6), or a seller who also buys. */
export function isBuyer({ isAdmin, isSeller, alsoBuys }: Roles): boolean {
  return !isAdmin && (!isSeller || alsoBuys);
}
