import type { WalPosition } from "./wal-positions.ts";

/** The member who makes a call, as verbs see them. */
export type Member = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  isSeller: boolean;
  /** A seller who is also a buyer. */
  alsoBuys: boolean;
  verify: boolean;
  confirmed: boolean;
  isSuspended: boolean;
  /** Replicas that serve the member must have replayed this. It expires an hour after a write. */
  writePosition?: WalPosition | undefined;
};

/** The email domain of erased members (RFC 2606). No email is sent there. */
export const erasedDomain = "@secondlap.invalid";

export function isErased(email: string): boolean {
  return email.endsWith(erasedDomain);
}
