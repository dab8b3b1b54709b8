import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { openDealsOf } from "./deletion.ts";

/**
 * Grants or revokes the admin role and returns a sentence about the result. Throws `NOT_FOUND` for
 * an unknown or suspended member. Throws `IN_USE` for the last admin, whose role can't be revoked,
 * and for a new admin with an open deal, because admins can't pay or hand over laptops.
 */
export async function changeAdmin(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): Promise<string> {
  return await transact(db, "changeAdmin", async (tx) => {
    if (!isAdmin) await requireAnotherAdmin(tx, email);
    const changed = await tx
      .updateTable("members")
      .set({ is_admin: isAdmin })
      .where("email", "=", email)
      .where("deleted_at", "is", null)
      .where("suspended_at", "is", null)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!changed)
      throw new AppError(
        "NOT_FOUND",
        `There is no member ${email}. They have to sign up first, and must not be suspended.`,
      );
    if (isAdmin && (await openDealsOf(tx, changed.id)).length > 0)
      throw new AppError(
        "IN_USE",
        `${changed.name} (${email}) has a laptop held or not yet handed over, and admins can't deal. Wait until that is done.`,
      );
    const verb = isAdmin ? "grant admin" : "revoke admin";
    await recordAudit(tx, {
      at: clock.now(),
      actor: null,
      verb,
      object: "member",
      objectId: changed.id,
    });
    return `${changed.name} (${email}) is ${isAdmin ? "now" : "no longer"} an admin.`;
  });
}

/** Locks all admins, so that concurrent revocations can't remove the last one. */
async function requireAnotherAdmin(tx: Tx, email: string): Promise<void> {
  const admins = await tx
    .selectFrom("members")
    .select("email")
    .where("is_admin", "=", true)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (admins.length !== 1 || admins[0]?.email !== email) return;
  throw new AppError(
    "IN_USE",
    `${email} is the only admin. Make somebody else an admin first: npm run admin -- grant you@example.com`,
  );
}

/** Lists all admins, for emails about matters that only admins can handle. */
export async function listAdmins(tx: Tx): Promise<{ name: string; email: string }[]> {
  return await tx
    .selectFrom("members")
    .select(["name", "email"])
    .where("is_admin", "=", true)
    .where("deleted_at", "is", null)
    .execute();
}
