import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Sessions } from "./port.ts";

/**
 * How long an unused session lives. better-auth extends one in use, at most once a day, so it ends
 * 6 to 7 days after the last use. The clean-up ends every session after 30 days.
 */
export const sessionSeconds = 7 * 24 * 60 * 60;

export const sessionStore: Sessions = {
  isLive(id) {
    return sql<boolean>`exists (
      select from identity."session" where "id" = ${id} and "expiresAt" > now())`;
  },
  async hasShownSecondFactor(tx, id) {
    const shown = await tx
      .selectFrom("identity.session")
      .select("id")
      .where("id", "=", id)
      .where("secondFactor", "=", true)
      .executeTakeFirst();
    return shown !== undefined;
  },
  async list(tx, email, { first, limit }) {
    return await validSessions(tx, email)
      .select(["session.id", "userAgent", "ipAddress", "session.createdAt", "session.updatedAt"])
      .orderBy(sql`session.id = ${first}`, "desc")
      .orderBy("session.updatedAt", "desc")
      .limit(limit)
      .execute();
  },
  async isFresh(tx, id, since) {
    const fresh = await tx
      .selectFrom("identity.session")
      .select("id")
      .where("id", "=", id)
      .where(({ eb, or }) => or([eb("createdAt", ">", since), eb("provenAt", ">", since)]))
      .executeTakeFirst();
    return fresh !== undefined;
  },
  async confirm(tx, id, at) {
    await tx.updateTable("identity.session").set({ provenAt: at }).where("id", "=", id).execute();
  },
  async end(tx, email, which) {
    const isOne = "id" in which;
    const { numDeletedRows } = await tx
      .deleteFrom("identity.session")
      .where("id", "in", validSessions(tx, email).select("session.id"))
      .where("id", isOne ? "=" : "<>", isOne ? which.id : which.except)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
  async endAll(tx, email) {
    const { numDeletedRows } = await tx
      .deleteFrom("identity.session")
      .where("userId", "in", tx.selectFrom("identity.user").select("id").where("email", "=", email))
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
  async deleteExpired(tx, before) {
    await tx.deleteFrom("identity.session").where("expiresAt", "<", before).execute();
  },
  async deleteStarted(tx, before) {
    await tx.deleteFrom("identity.session").where("createdAt", "<", before).execute();
  },
};

function validSessions(tx: Tx, email: string) {
  return tx
    .selectFrom("identity.session as session")
    .innerJoin("identity.user as user", "user.id", "session.userId")
    .where("user.email", "=", email)
    .where("session.expiresAt", ">", sql<Date>`now()`);
}

/** Records that a session was used. better-auth itself does this only once a day. */
export async function touchSession(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable("identity.session").set({ updatedAt: at }).where("id", "=", id).execute();
}
