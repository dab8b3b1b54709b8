import type { StaffRole } from "#contract/roles.ts";
import { AppError, orNotFound } from "../errors.ts";
import type { Tx } from "./database.ts";
import type { WalPosition } from "./wal-positions.ts";

export type Member = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  /** Null without an admin role, and in calls that ignore the role for lack of a second factor. */
  staffRole: StaffRole | null;
  isSeller: boolean;
  alsoBuys: boolean;
  verify: boolean;
  confirmed: boolean;
  isSuspended: boolean;
  /** Only replicas that have replayed this position serve the member. */
  writePosition?: WalPosition | undefined;
};

/** Prevents deletion until the transaction ends. Throws `NOT_SIGNED_IN` for a deleted member. */
export async function lockMember(tx: Tx, id: string, lock: "share" | "update"): Promise<void> {
  await tx
    .selectFrom("members")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .$call((query) => (lock === "share" ? query.forShare() : query.forNoKeyUpdate()))
    .executeTakeFirstOrThrow(() => new AppError("NOT_SIGNED_IN", "Please sign in."));
}

/** Locks the row until the transaction ends. Throws `NOT_FOUND`. */
export async function lockExistingMember(tx: Tx, id: string) {
  return await tx
    .selectFrom("members")
    .select(["name", "email", "is_admin", "suspended_at"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(orNotFound("There is no such member."));
}

/** A reserved domain (RFC 2606), to which no email is sent. */
export const erasedDomain = "@secondlap.invalid";

export function isErased(email: string): boolean {
  return email.endsWith(erasedDomain);
}
