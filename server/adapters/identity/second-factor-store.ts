import type { Tx } from "../../db/database.ts";
import { lockUser } from "./account-store.ts";
import type { SecondFactorChange, SecondFactors } from "./port.ts";

export const secondFactorStore: SecondFactors = {
  async read(tx, email) {
    const { id, twoFactorEnabled } = await tx
      .selectFrom("identity.user")
      .select(["id", "twoFactorEnabled"])
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const passkeys = await tx
      .selectFrom("identity.passkey")
      .select(["id", "name", "createdAt"])
      .where("userId", "=", id)
      .orderBy("createdAt")
      .execute();
    return { authenticatorApp: twoFactorEnabled, passkeys };
  },
  async reset(tx, email) {
    const user = await lockUser(tx, email);
    if (!user) return "no account";
    return (await removeFactors(tx, user.id)) ? "reset" : "no factor";
  },
  async deleteUsedCodes(tx, before) {
    await tx.deleteFrom("identity.usedCode").where("usedAt", "<", before).execute();
  },
};

/** Removes all factors and ends all sessions. Returns false and does nothing without factors. */
export async function removeFactors(tx: Tx, userId: string): Promise<boolean> {
  const apps = await tx
    .deleteFrom("identity.twoFactor")
    .where("userId", "=", userId)
    .executeTakeFirst();
  const passkeys = await tx
    .deleteFrom("identity.passkey")
    .where("userId", "=", userId)
    .executeTakeFirst();
  if (apps.numDeletedRows + passkeys.numDeletedRows === 0n) return false;
  await tx
    .updateTable("identity.user")
    .set({ twoFactorEnabled: false })
    .where("id", "=", userId)
    .execute();
  await tx.deleteFrom("identity.session").where("userId", "=", userId).execute();
  return true;
}

export async function hasSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const found = await tx
    .selectFrom("identity.user")
    .select("id")
    .where("id", "=", userId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("twoFactorEnabled", "=", true),
        exists(selectFrom("identity.passkey").select("id").where("userId", "=", userId)),
      ]),
    )
    .executeTakeFirst();
  return found !== undefined;
}

type Change = { userId: string; sessionId: string; action: SecondFactorChange["action"] };

/**
 * If no factor is left, clears `secondFactor` on all sessions. Otherwise sets it on this session if
 * `action` added a factor, and ends all other sessions without it.
 */
export async function updateSessionsAfterChange(
  tx: Tx,
  { userId, sessionId, action }: Change,
): Promise<void> {
  const secondFactor = await hasSecondFactor(tx, userId);
  const sessions = tx.updateTable("identity.session").where("userId", "=", userId);
  if (!secondFactor) {
    await sessions.set({ secondFactor }).execute();
    return;
  }
  if (action === "add passkey" || action === "turn on two-step verification")
    await sessions.set({ secondFactor }).where("id", "=", sessionId).execute();
  await tx
    .deleteFrom("identity.session")
    .where("userId", "=", userId)
    .where("id", "<>", sessionId)
    .where("secondFactor", "=", false)
    .execute();
}

export async function findEmail(tx: Tx, userId: string): Promise<string | undefined> {
  const user = await tx
    .selectFrom("identity.user")
    .select("email")
    .where("id", "=", userId)
    .executeTakeFirst();
  return user?.email;
}
