import type { Kysely } from "kysely";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import { findMemberByEmail } from "../members/members.ts";

/** Whether somebody has two-step verification on, or a passkey. */
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

type FactorChange = { userId: string; sessionId: string; verb: string };

/**
 * After somebody changed how they sign in. With a factor in place, the session they are in has shown one,
 * and those that haven't end; without any left, no session has.
 */
export async function concludeFactorChange(
  db: Kysely<DB>,
  { userId, sessionId, verb }: FactorChange,
): Promise<void> {
  await transact(db, "concludeFactorChange", async (tx) => {
    const secondFactor = await hasSecondFactor(tx, userId);
    const sessions = tx.updateTable("identity.session").where("userId", "=", userId);
    if (secondFactor) {
      if (addsFactor(verb))
        await sessions.set({ secondFactor }).where("id", "=", sessionId).execute();
      await tx
        .deleteFrom("identity.session")
        .where("userId", "=", userId)
        .where("id", "<>", sessionId)
        .where("secondFactor", "=", false)
        .execute();
    } else {
      await sessions.set({ secondFactor }).execute();
    }
    await recordChange(tx, userId, verb);
  });
}

function addsFactor(verb: string): boolean {
  return verb === "add passkey" || verb === "turn on two-step verification";
}

async function recordChange(tx: Tx, userId: string, verb: string): Promise<void> {
  const user = await tx
    .selectFrom("identity.user")
    .select("email")
    .where("id", "=", userId)
    .executeTakeFirst();
  const member = user && (await findMemberByEmail(tx, user.email));
  if (!member) return;
  const at = new Date();
  await recordAudit(tx, { at, actor: member.id, verb, object: "member", objectId: member.id });
}
