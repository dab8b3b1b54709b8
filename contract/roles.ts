/** The roles of admins. An owner may do everything (decisions/staff-roles). */
export type StaffRole = "owner" | "moderation" | "support" | "finance";

/**
 * The access that a role gives. `admin`: everything that all roles may do. `deals`: the records of
 * deals, which support needs to decide complaints and finance to send money.
 */
export type StaffAccess = StaffRole | "admin" | "deals";

/** The roles that have each access word. */
const rolesWith: Record<StaffAccess, StaffRole[]> = {
  admin: ["owner", "moderation", "support", "finance"],
  moderation: ["owner", "moderation"],
  support: ["owner", "support"],
  finance: ["owner", "finance"],
  deals: ["owner", "support", "finance"],
  owner: ["owner"],
};

const people: Record<StaffRole, string> = {
  owner: "owners",
  moderation: "moderators",
  support: "support staff",
  finance: "finance staff",
};

export function isStaffAccess(word: string): word is StaffAccess {
  return Object.hasOwn(rolesWith, word);
}

/** Whether a role grants an access. `role` is null for members who aren't admins. */
export function mayAct(role: StaffRole | null, access: StaffAccess): boolean {
  return role !== null && rolesWith[access].includes(role);
}

/** The people who have an access word, for sentences. Members read only that they are admins. */
export function whoMayAct(role: StaffRole | null, access: StaffAccess): string {
  if (role === null || access === "admin") return "admins";
  return new Intl.ListFormat("en-US").format(rolesWith[access].map((one) => people[one]));
}

/**
 * The kinds of callers that a call can require. `self`: the member whose `{email}` is in the path,
 * or an admin. `provider`: the card provider, identified by its signature.
 */
export const accessWords = [
  "public",
  "identity",
  "member",
  "buyer",
  "seller",
  "admin",
  "moderation",
  "support",
  "finance",
  "deals",
  "owner",
  "self",
  "provider",
] as const;

export type Access = (typeof accessWords)[number];

/** `alsoBuys`: a seller who is also a buyer (decisions/members). */
export type Roles = { isAdmin: boolean; isSeller: boolean; alsoBuys: boolean };

/** Whether a member buys: neither seller nor admin (specification 6), or a seller who also buys. */
export function isBuyer({ isAdmin, isSeller, alsoBuys }: Roles): boolean {
  return !isAdmin && (!isSeller || alsoBuys);
}
