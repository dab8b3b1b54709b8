import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { Member } from "../members/members.ts";
import type { InSession } from "./sessions.ts";

/** How long after signing in, or entering the password again, nothing more is asked, in milliseconds. */
const freshFor = 10 * 60_000;

/**
 * Refuses `CONFIRM_PASSWORD`, or `CONFIRM_GOOGLE` for a member without a password, unless they signed in or
 * confirmed their password in this session within the last ten minutes.
 */
export async function requireFreshSession(
  { db, clock }: Deps,
  { member, sessionId }: InSession,
): Promise<void> {
  const since = new Date(clock.now().getTime() - freshFor);
  const fresh = await db
    .selectFrom("identity.session")
    .select("id")
    .where("id", "=", sessionId)
    .where(({ eb, or }) => or([eb("createdAt", ">", since), eb("provenAt", ">", since)]))
    .executeTakeFirst();
  if (fresh) return;
  if (await hasPassword(db, member))
    throw new AppError("CONFIRM_PASSWORD", "Enter your password to confirm that it is you.");
  throw new AppError("CONFIRM_GOOGLE", "Continue with Google again to confirm that it is you.");
}

async function hasPassword(tx: Tx, { email }: Member): Promise<boolean> {
  const account = await tx
    .selectFrom("identity.account as account")
    .innerJoin("identity.user as user", "user.id", "account.userId")
    .select("account.id")
    .where("user.email", "=", email)
    .where("account.password", "is not", null)
    .executeTakeFirst();
  return account !== undefined;
}

/** Makes a session fresh again by the member's password. Refuses `WRONG_PASSWORD`. */
export async function confirmPassword(
  deps: Deps,
  { member, sessionId }: InSession,
  { password, address }: { password: string; address: string },
): Promise<void> {
  const { email } = member;
  if (!(await deps.identity.isPassword?.({ email, password, address }))) {
    const message = "That is not your password. Check it and try again.";
    throw new AppError("WRONG_PASSWORD", message, { password: message });
  }
  const at = deps.clock.now();
  await transact(deps.db, "confirmPassword", async (tx) => {
    await tx
      .updateTable("identity.session")
      .set({ provenAt: at })
      .where("id", "=", sessionId)
      .execute();
    const [actor, verb, object] = [member.id, "confirm password", "member"] as const;
    await recordAudit(tx, { at, actor, verb, object, objectId: member.id });
  });
}
