import type { Tx } from "../../db/database.ts";
import { applyInvitation } from "./invitation-transition.ts";
import { recordTrace } from "./member-traces.ts";

type Payment = { buyerId: string; cardFingerprint: string | undefined; at: Date };

/** Records the card of a payment. An invited friend who pays with a card of another member is looked at by an admin. */
export async function recordCard(
  tx: Tx,
  { buyerId: memberId, cardFingerprint: value, at }: Payment,
): Promise<void> {
  if (value === undefined) return;
  const isKnown = await recordTrace(tx, { kind: "card", value }, { memberId, at });
  if (!isKnown) return;
  const invitation = await tx
    .selectFrom("invitations")
    .select("id")
    .where("friend_id", "=", memberId)
    .where("approved_by", "is", null)
    .executeTakeFirst();
  if (!invitation) return;
  const move = { id: invitation.id, at, actor: null, transition: "suspect" } as const;
  await applyInvitation(tx, { ...move, reason: "card" });
}
