import type { SecondFactors } from "#contract/account.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import type { InSession } from "./sessions.ts";

/** The caller's second factors, and whether the caller must have a second factor. */
export async function readSecondFactors(
  { db, config, identity }: Deps,
  { member, sessionId }: InSession,
): Promise<SecondFactors> {
  const { authenticatorApp, passkeys } = await identity.secondFactors.read(db, member.email);
  return {
    authenticatorApp,
    passkeys: passkeys.map(({ id, name, createdAt }) => ({
      _id: id,
      name: name ?? "Passkey",
      addedAt: createdAt.toISOString(),
    })),
    hasPassword: await identity.accounts.hasPassword(db, member.email),
    required: config.requireAdminSecondFactor && (await isAdmin(db, member.id)),
    shown: await identity.hasShownSecondFactor(sessionId),
  };
}

/** Reads the database, because `member.isAdmin` is false in a session without a second factor. */
async function isAdmin(tx: Tx, memberId: string): Promise<boolean> {
  const { is_admin } = await tx
    .selectFrom("members")
    .select("is_admin")
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  return is_admin;
}
