import { transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";

export type ResetDeps = Pick<Deps, "db" | "clock"> & {
  identity: Pick<Deps["identity"], "secondFactors">;
};

/**
 * Removes a member's second factor and ends their sessions. Returns a message for the terminal.
 * Throws `NOT_FOUND` if the member doesn't exist or has no second factor.
 */
export async function resetSecondFactor(
  { db, clock, identity }: ResetDeps,
  email: string,
): Promise<string> {
  return await transact(db, "resetSecondFactor", async (tx) => {
    const member = await tx
      .selectFrom("members")
      .select(["id", "name"])
      .where("email", "=", email)
      .where("deleted_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    const result = member && (await identity.secondFactors.reset(tx, email));
    if (!member || result === "no account")
      throw new AppError("NOT_FOUND", `There is no member ${email}.`);
    const { id, name } = member;
    if (result === "no factor")
      throw new AppError("NOT_FOUND", `${name} (${email}) has no second factor.`);
    const entry = { at: clock.now(), actor: null, object: "member" as const, objectId: id };
    await recordAudit(tx, { ...entry, verb: "reset second factor" });
    return `${name} (${email}) can log in with the password alone, and is signed out everywhere.`;
  });
}
