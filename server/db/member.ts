import type { StaffRole } from "#contract/roles.ts";
import { AppError } from "../errors.ts";
import type { Tx } from "./database.ts";
import type { WalPosition } from "./wal-positions.ts";

/** The signed-in member who makes a call. */
export type Member = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  /** Null for members who aren't admins, and in sessions that lack a required second factor. */
  staffRole: StaffRole | null;
  isSeller: boolean;
  /** Whether a seller also buys. */
  alsoBuys: boolean;
  verify: boolean;
  confirmed: boolean;
  isSuspended: boolean;
  /**
   * The WAL position of the member's latest write, stored for an hour. Only replicas that have
   * replayed the WAL up to this position serve the member.
   */
  writePosition?: WalPosition | undefined;
};

/**
 * Keeps a member from being deleted until the transaction ends, and with `update`, from being
 * locked by others. Throws `NOT_SIGNED_IN` for a deleted member.
 */
export async function lockMember(tx: Tx, id: string, lock: "share" | "update"): Promise<void> {
  const member = await tx
    .selectFrom("members")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .$call((query) => (lock === "share" ? query.forShare() : query.forNoKeyUpdate()))
    .executeTakeFirst();
  if (!member) throw new AppError("NOT_SIGNED_IN", "Please sign in.");
}

/** The domain of erased members' email addresses (RFC 2606). No email is sent there. */
export const erasedDomain = "@secondlap.invalid";

export function isErased(email: string): boolean {
  return email.endsWith(erasedDomain);
}
