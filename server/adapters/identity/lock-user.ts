import type { Tx } from "../../db/database.ts";

/** Finds a user and locks the row, so that concurrent changes of an account wait for each other. */
export async function lockUser(
  tx: Tx,
  email: string,
): Promise<{ id: string; emailVerified: boolean } | undefined> {
  return await tx
    .selectFrom("identity.user")
    .select(["id", "emailVerified"])
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirst();
}
