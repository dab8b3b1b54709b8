/**
 * Who may make a call. `self`: the `{email}` in the path is the caller's own, or the caller is an
 * admin. `provider`: the card provider, by its signature (contract, "Rules that hold for every call").
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

/** A buyer is a member who is neither seller nor admin (specification 6). */
export function isBuyer(roles: Roles): boolean {
  return !roles.isAdmin && !roles.isSeller;
}
