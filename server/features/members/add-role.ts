import type { AccountType } from "#contract/members.ts";
import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";

/**
 * Lets a buyer also sell, or a seller also buy; a repeated call changes nothing
 * (decisions/members). Throws `FORBIDDEN` for admins.
 */
export async function addRole(deps: Deps, { id }: Member, role: AccountType): Promise<void> {
  await transact(deps.db, "addRole", async (tx) => {
    const member = await tx
      .selectFrom("members")
      .select(["account_type", "is_admin", "also_buys"])
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (member.is_admin)
      throw new AppError("FORBIDDEN", "Admins neither buy nor sell. Use another account for that.");
    if (member.account_type === role || member.also_buys) return;
    await tx
      .updateTable("members")
      .set({ account_type: "seller", also_buys: true })
      .where("id", "=", id)
      .execute();
    await recordAudit(tx, {
      at: deps.clock.now(),
      actor: id,
      verb: "addRole",
      object: "member",
      objectId: id,
      detail: { role },
    });
  });
}
