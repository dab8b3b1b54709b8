import type { WalPosition } from "./wal-positions.ts";

/** The signed-in member who makes a call. */
export type Member = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  isSeller: boolean;
  /** Whether a seller also buys. */
  alsoBuys: boolean;
  verify: boolean;
  confirmed: boolean;
  isSuspended: boolean;
  /** A replica that serves the member must have replayed up to here. Ends an hour after a write. */
  writePosition?: WalPosition | undefined;
};

/** The domain of erased members' addresses (RFC 2606). No email is sent to it. */
export const erasedDomain = "@secondlap.invalid";

export function isErased(email: string): boolean {
  return email.endsWith(erasedDomain);
}
