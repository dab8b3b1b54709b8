import { recordAudit } from "../../db/audit-log.ts";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";

/**
 * Takes a member's authenticator app, backup codes and passkeys away and signs them out everywhere, for
 * whoever has lost them; answers a sentence that says what happened. Throws one where there is nothing to reset.
 */
export async function resetSecondFactor(
  { db, clock }: Pick<Deps, "db" | "clock">,
  email: string,
): Promise<string> {
  return await transact(db, "resetSecondFactor", async (tx) => {
    const member = await tx
      .selectFrom("members")
      .innerJoin("identity.user as user", "user.email", "members.email")
      .select(["members.id", "members.name", "user.id as userId"])
      .where("members.email", "=", email)
      .where("deleted_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!member) throw new Error(`There is no member ${email}.`);
    const { id, name, userId } = member;
    const apps = await tx
      .deleteFrom("identity.twoFactor")
      .where("userId", "=", userId)
      .executeTakeFirst();
    const passkeys = await tx
      .deleteFrom("identity.passkey")
      .where("userId", "=", userId)
      .executeTakeFirst();
    if (apps.numDeletedRows + passkeys.numDeletedRows === 0n)
      throw new Error(`${name} (${email}) has no second factor.`);
    await tx
      .updateTable("identity.user")
      .set({ twoFactorEnabled: false })
      .where("id", "=", userId)
      .execute();
    await tx.deleteFrom("identity.session").where("userId", "=", userId).execute();
    const entry = { at: clock.now(), actor: null, object: "member" as const, objectId: id };
    await recordAudit(tx, { ...entry, verb: "reset second factor" });
    return `${name} (${email}) can log in with the password alone, and is signed out everywhere.`;
  });
}
