import type { Tx } from "../db/database.ts";

/** Lists all admins, for emails about matters that only admins can handle. */
export async function listAdmins(tx: Tx): Promise<{ name: string; email: string }[]> {
  return await tx
    .selectFrom("members")
    .select(["name", "email"])
    .where("is_admin", "=", true)
    .where("deleted_at", "is", null)
    .execute();
}
