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
