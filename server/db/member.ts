import type { WalPosition } from "./wal-positions.ts";

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
  /** What replicas must have replayed to answer them; undefined if they have written nothing within the hour. */
  writePosition?: WalPosition | undefined;
};

/** The domain of the addresses of erased members (RFC 2606); no email is sent there. */
export const erasedDomain = "@secondlap.invalid";

export function isErased(email: string): boolean {
  return email.endsWith(erasedDomain);
}
