/** A member as every verb knows its caller. */
export type Member = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  isSeller: boolean;
  /** A seller who is a buyer as well. */
  alsoBuys: boolean;
  verify: boolean;
  confirmed: boolean;
  isSuspended: boolean;
};

/** The domain of the addresses of erased members (RFC 2606); no email is sent there. */
export const erasedDomain = "@secondlap.invalid";

export function isErased(email: string): boolean {
  return email.endsWith(erasedDomain);
}
