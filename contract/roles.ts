/**
 * Who may make a call. `self`: the caller's own `{email}` in the path, or an admin. `provider`: the card
 * provider, by its signature.
 */
export const accessWords = [
  "public",
  "identity",
  "member",
  "buyer",
  "seller",
  "admin",
  "self",
  "provider",
] as const;

export type Access = (typeof accessWords)[number];

export type Roles = { isAdmin: boolean; isSeller: boolean };

/** Neither seller nor admin (specification 6). */
export function isBuyer(roles: Roles): boolean {
  return !roles.isAdmin && !roles.isSeller;
}
