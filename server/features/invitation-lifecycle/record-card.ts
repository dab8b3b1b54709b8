import { invitationTransitions } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { hashTrace, recordTrace } from "./member-traces.ts";
import { suspectFriend } from "./suspect-friend.ts";

type Payment = { buyerId: string; cardFingerprint: string | undefined; at: Date };

/**
 * Records the card of a payment, and looks again at the invitations of its buyer and of the friends who have paid with the
 * card before.
 */
export async function recordCard(
  tx: Tx,
  { buyerId: memberId, cardFingerprint, at }: Payment,
): Promise<void> {
  const card = { kind: "card", value: cardFingerprint ?? "" } as const;
  if (cardFingerprint !== undefined) await recordTrace(tx, card, { memberId, at });
  const trace_hash = await hashTrace(tx, card);
  const invitations = await tx
    .selectFrom("invitations")
    .select("id")
    .where("state", "in", [...invitationTransitions.suspect.from])
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("friend_id", "=", memberId),
        eb(
          "friend_id",
          "in",
          selectFrom("member_traces")
            .select("member_id")
            .where("kind", "=", "card")
            .where("trace_hash", "=", trace_hash),
        ),
      ]),
    )
    .orderBy("id")
    .execute();
  for (const { id } of invitations) await suspectFriend(tx, id, at);
}
