import type { Tx } from "../db/database.ts";

/** All admins, for emails about what only they can see to. */
export async function listAdmins(tx: Tx): Promise<{ name: string; email: string }[]> {
  return await tx
    .selectFrom("members")
    .select(["name", "email"])
    .where("is_admin", "=", true)
    .where("deleted_at", "is", null)
    .execute();
}
