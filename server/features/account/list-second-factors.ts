import type { SecondFactors } from "#contract/account.ts";
import type { StaffRole } from "#contract/roles.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import type { InSession } from "./sessions.ts";

/** The caller's second factors, and whether the caller must have a second factor. */
export async function readSecondFactors(
  { db, config, identity }: Deps,
  { member, sessionId }: InSession,
): Promise<SecondFactors> {
  const staffRole = await readStaffRole(db, member.id);
  const { authenticatorApp, passkeys } = await identity.secondFactors.read(db, member.email);
  return {
    authenticatorApp,
    passkeys: passkeys.map(({ id, name, createdAt }) => ({
      _id: id,
      name: name ?? "Passkey",
      addedAt: createdAt.toISOString(),
    })),
    hasPassword: await identity.accounts.hasPassword(db, member.email),
    required: config.requireAdminSecondFactor && staffRole !== null,
    shown: await identity.hasShownSecondFactor(sessionId),
    staffRole,
  };
}

/**
 * Reads the stored role, because `Member.staffRole` is null in a session without a second factor.
 */
async function readStaffRole(tx: Tx, memberId: string): Promise<StaffRole | null> {
  const { staff_role } = await tx
    .selectFrom("members")
    .select("staff_role")
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  return staff_role;
}
