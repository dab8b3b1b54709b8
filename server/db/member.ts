import type { StaffRole } from "#contract/roles.ts";
import type { WalPosition } from "./wal-positions.ts";

/** The signed-in member who makes a call. */
export type Member = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  /** Null for members who aren't admins. */
  staffRole: StaffRole | null;
  isSeller: boolean;
  /** Whether a seller also buys. */
  alsoBuys: boolean;
  verify: boolean;
  confirmed: boolean;
  isSuspended: boolean;
  /** Only replicas that have replayed the WAL up to here serve the member. Kept for an hour. */
  writePosition?: WalPosition | undefined;
};

/** The domain of erased members' email addresses (RFC 2606). No email is sent there. */
export const erasedDomain = "@secondlap.invalid";

export function isErased(email: string): boolean {
  return email.endsWith(erasedDomain);
}
