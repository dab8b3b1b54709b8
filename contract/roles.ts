/** `admin`: what every role may do. `deals`: deal records, for support, finance and owners. */
export const staffAccess = ["admin", "moderation", "support", "finance", "deals", "owner"] as const;

export type StaffAccess = (typeof staffAccess)[number];

/** Staff are also called admins (decisions/staff-roles). */
export type StaffRole = Exclude<StaffAccess, "admin" | "deals">;

/** `role` is null for members who aren't admins. */
export function mayAct(role: StaffRole | null, access: StaffAccess): boolean {
  if (role === null) return false;
  if (access === "deals") return role !== "moderation";
  return access === "admin" || role === "owner" || role === access;
}

export function isStaffAccess(word: string): word is StaffAccess {
  return staffAccess.some((access) => access === word);
}

/** `self`: the member whose `{email}` is in the path, or an admin. `provider`: card provider. */
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

/** Whether the member can buy. Admins can't; sellers can if they also buy (specification 6). */
export function isBuyer({ isAdmin, isSeller, alsoBuys }: Roles): boolean {
  return !isAdmin && (!isSeller || alsoBuys);
}
