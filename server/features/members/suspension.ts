import type { Expression, SqlBool } from "kysely";
import { mayAct } from "#contract/roles.ts";
import { type Tx, transact } from "../../db/database.ts";
import { lockExistingMember, type Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { endHold } from "../deals/end-hold.ts";
import { endOffersOf } from "../deals/end-offers.ts";
import { openDealsOf } from "./delete-member.ts";
import { findMember } from "./members.ts";

export const accountSuspended =
  "This account is suspended. If you think that is a mistake, write to us: see Contact at the bottom of the page.";

/** Throws `ACCOUNT_SUSPENDED` for a suspended member. */
export async function findActiveMember(
  tx: Tx,
  id: string,
  condition: Expression<SqlBool>,
): Promise<Member | undefined> {
  const member = await findMember(tx, id, condition);
  if (member?.isSuspended) throw new AppError("ACCOUNT_SUSPENDED", accountSuspended);
  return member;
}

/**
 * Suspends or restores a member. A suspension ends sessions and offers at once, and a job ends
 * unpaid holds. Throws `NOT_FOUND`. Throws `IN_USE` for an admin, and `STALE` if `suspended` isn't
 * the current state.
 */
export async function toggleSuspension(
  deps: Deps,
  admin: Member,
  { id, suspended }: { id: string; suspended: boolean },
): Promise<{ suspended: boolean }> {
  const at = deps.clock.now();
  await transact(deps.db, "toggleSuspension", async (tx) => {
    const member = await lockExistingMember(tx, id);
    if (member.is_admin)
      throw new AppError("IN_USE", "An admin can't be suspended. Take the role away first.");
    if ((member.suspended_at !== null) !== suspended)
      throw new AppError(
        "STALE",
        "Someone changed this member a moment ago. Check it before you change it again.",
      );
    await tx
      .updateTable("members")
      .set({ suspended_at: suspended ? null : at })
      .where("id", "=", id)
      .execute();
    if (!suspended) {
      await deps.identity.sessions.endAll(tx, member.email);
      await endOffersOf(tx, id, at);
      await enqueue(tx, "endHoldsOf", { payload: { memberId: id, actor: admin.id } });
    }
    const verb = suspended ? "restore" : "suspend";
    await recordAudit(tx, { at, actor: admin.id, verb, object: "member", objectId: id });
  });
  return { suspended: !suspended };
}

/** Job `endHoldsOf`: ends a member's unpaid holds. With `between`, only those with that member. */
export async function endHoldsOf(
  deps: Deps,
  { memberId, actor, between }: { memberId: string; actor: string; between?: string },
): Promise<void> {
  const deals = await openDealsOf(deps.db, memberId);
  const others = between === undefined ? deals : await openDealsOf(deps.db, between);
  const shared = new Set(others.map(({ id }) => id));
  for (const { id: bookingId, state } of deals) {
    if (state === "held" && shared.has(bookingId))
      await endHold(deps, { bookingId, transition: "cancel", actor });
  }
}

/** Only owners may end an admin's sessions. Throws `NOT_FOUND` or `FORBIDDEN`. */
export async function endMemberSessions(deps: Deps, admin: Member, id: string): Promise<number> {
  return await transact(deps.db, "endMemberSessions", async (tx) => {
    const member = await lockExistingMember(tx, id);
    if (member.is_admin && !mayAct(admin.staffRole, "owner"))
      throw new AppError("FORBIDDEN", "Only owners can log admins out.");
    const sessions = await deps.identity.sessions.endAll(tx, member.email);
    const at = deps.clock.now();
    const [actor, verb, object, objectId] = [admin.id, "end sessions", "member", id] as const;
    await recordAudit(tx, { at, actor, verb, object, objectId, detail: { sessions } });
    return sessions;
  });
}
