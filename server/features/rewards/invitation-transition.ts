import { type InvitationTransition, invitationTransitions } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";

type Move = {
  id: string;
  transition: InvitationTransition;
  at: Date;
  /** Null for an automatic transition. */
  actor: string | null;
  /** Why the invitation is suspected or refused. */
  reason?: string;
};

/** Returns whether the current state allowed the transition. If not, nothing changes. */
export async function applyInvitation(
  tx: Tx,
  { id, transition, at, actor, reason }: Move,
): Promise<boolean> {
  const { from, to } = invitationTransitions[transition];
  const { numUpdatedRows } = await tx
    .updateTable("invitations")
    .set({ state: to, ...(reason !== undefined && { reason }) })
    .set(transition === "suspect" ? { review_since: at } : {})
    .where("id", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const by = { at, actor, verb: transition, object: "invitation", objectId: id } as const;
  await recordAudit(tx, { ...by, ...(reason !== undefined && { detail: { reason } }) });
  return true;
}
