import type { SecondFactors } from "#contract/account.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import type { InSession } from "./sessions.ts";

/** The caller's second factors, and whether they have to have one. */
export async function readSecondFactors(
  { db, config, identity }: Deps,
  { member, sessionId }: InSession,
): Promise<SecondFactors> {
  const user = await db
    .selectFrom("identity.user")
    .select(["id", "twoFactorEnabled"])
    .where("email", "=", member.email)
    .executeTakeFirstOrThrow();
  return {
    authenticatorApp: user.twoFactorEnabled,
    passkeys: await listPasskeys(db, user.id),
    hasPassword: await hasPassword(db, user.id),
    required: config.requireAdminSecondFactor && (await isAdmin(db, member.id)),
    shown: await identity.hasShownSecondFactor(sessionId),
  };
}

async function listPasskeys(tx: Tx, userId: string): Promise<SecondFactors["passkeys"]> {
  const rows = await tx
    .selectFrom("identity.passkey")
    .select(["id", "name", "createdAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ id, name, createdAt }) => ({
    _id: id,
    name: name ?? "Passkey",
    addedAt: createdAt.toISOString(),
  }));
}

async function hasPassword(tx: Tx, userId: string): Promise<boolean> {
  const account = await tx
    .selectFrom("identity.account")
    .select("id")
    .where("userId", "=", userId)
    .where("password", "is not", null)
    .executeTakeFirst();
  return account !== undefined;
}

/** From the database: the caller of a session without a second factor is no admin to the calls. */
async function isAdmin(tx: Tx, memberId: string): Promise<boolean> {
  const { is_admin } = await tx
    .selectFrom("members")
    .select("is_admin")
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  return is_admin;
}
