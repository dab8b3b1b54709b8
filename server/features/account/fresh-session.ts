import { transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { InSession } from "./sessions.ts";

/** How long a session stays fresh after the member signs in or enters their password again. */
const freshForMs = 10 * 60_000;

/**
 * Requires that the member signed in or confirmed their password in this session within the last
 * ten minutes. Throws `CONFIRM_PASSWORD`, or `CONFIRM_PROVIDER` for a member without a password.
 */
export async function requireFreshSession(
  { db, clock, identity }: Deps,
  { member, sessionId }: InSession,
): Promise<void> {
  const since = new Date(clock.now().getTime() - freshForMs);
  if (await identity.sessions.isFresh(db, sessionId, since)) return;
  if (await identity.accounts.hasPassword(db, member.email))
    throw new AppError("CONFIRM_PASSWORD", "Enter your password to confirm that it is you.");
  throw new AppError(
    "CONFIRM_PROVIDER",
    "Continue with your sign-in provider again to confirm that it is you.",
  );
}

/** Checks the member's password and makes the session fresh again. Throws `WRONG_PASSWORD`. */
export async function confirmPassword(
  deps: Deps,
  { member, sessionId }: InSession,
  { password, address }: { password: string; address: string },
): Promise<void> {
  const { email } = member;
  if (!(await deps.identity.isPassword({ email, password, address }))) {
    const message = "That is not your password. Check it and try again.";
    throw new AppError("WRONG_PASSWORD", message, { password: message });
  }
  const at = deps.clock.now();
  await transact(deps.db, "confirmPassword", async (tx) => {
    await deps.identity.sessions.confirm(tx, sessionId, at);
    const [actor, verb, object] = [member.id, "confirm password", "member"] as const;
    await recordAudit(tx, { at, actor, verb, object, objectId: member.id });
  });
}
