import type { Tx } from "../db/database.ts";

/** All admins, for emails about matters that only they can handle. */
export async function listAdmins(tx: Tx): Promise<{ name: string; email: string }[]> {
  return await tx
    .selectFrom("members")
    .select(["name", "email"])
    .where("is_admin", "=", true)
    .where("deleted_at", "is", null)
    .execute();
}
