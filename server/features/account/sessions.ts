import { type Expression, sql } from "kysely";
import type { Session } from "#contract/account.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { Member } from "../members/members.ts";
import { deviceInWords } from "./device.ts";

/** A member and the session they ask in. */
export type InSession = { member: Member; sessionId: string };

/**
 * Where a member is signed in, the session they ask in first, then by when they were last seen there: so many
 * at most. Whoever has more than they can look through ends them all at once.
 */
export async function listSessions(
  tx: Tx,
  { member, sessionId }: InSession,
  { limit } = { limit: 100 },
): Promise<Session[]> {
  const rows = await ownSessions(tx, member)
    .select(["session.id", "userAgent", "session.createdAt", "session.updatedAt"])
    .orderBy(sql`session.id = ${sessionId}`, "desc")
    .orderBy("session.updatedAt", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id, userAgent, createdAt, updatedAt }) => ({
    _id: id,
    device: deviceInWords(userAgent),
    startedAt: createdAt.toISOString(),
    lastSeenAt: updatedAt.toISOString(),
    current: id === sessionId,
  }));
}

/** Signs a member out in one place. Refuses `NOT_FOUND`. */
export async function endSession(deps: Deps, { member }: InSession, id: string): Promise<void> {
  const ended = await end(deps, member, sql<boolean>`id = ${id}`);
  if (ended === 0) throw new AppError("NOT_FOUND", "That session has ended already.");
}

/** Signs a member out everywhere but where they ask; answers in how many places. */
export async function endOtherSessions(
  deps: Deps,
  { member, sessionId }: InSession,
): Promise<number> {
  return await end(deps, member, sql<boolean>`id <> ${sessionId}`);
}

async function end(
  { db, clock }: Deps,
  member: Member,
  which: Expression<boolean>,
): Promise<number> {
  return await transact(db, "endSessions", async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("identity.session")
      .where("id", "in", ownSessions(tx, member).select("session.id"))
      .where(which)
      .executeTakeFirst();
    const sessions = Number(numDeletedRows);
    if (sessions === 0) return 0;
    const [verb, object, objectId] = ["end sessions", "member", member.id] as const;
    const entry = { at: clock.now(), actor: member.id, verb, object, objectId };
    await recordAudit(tx, { ...entry, detail: { sessions } });
    return sessions;
  });
}

/** Those that have not run out, of the embedded identity service. */
function ownSessions(tx: Tx, { email }: Member) {
  return tx
    .selectFrom("identity.session as session")
    .innerJoin("identity.user as user", "user.id", "session.userId")
    .where("user.email", "=", email)
    .where("session.expiresAt", ">", sql<Date>`now()`);
}
