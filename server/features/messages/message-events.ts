import type { MessageEvents } from "#contract/messages.ts";
import type { Tx } from "../../db/database.ts";

/** Maximum number of conversations per request. The next request returns the rest. */
const most = 200;

/**
 * The member's conversations that changed after the event `after`. Without `after`, returns no
 * conversations, only the number of the latest event.
 */
export async function readMessageEvents(
  tx: Tx,
  memberId: string,
  after: number | undefined,
): Promise<MessageEvents> {
  if (after === undefined) {
    const inbox = await tx
      .selectFrom("message_inboxes")
      .select("changes")
      .where("member_id", "=", memberId)
      .executeTakeFirst();
    return { event: Number(inbox?.changes ?? 0), conversations: [] };
  }
  const rows = await tx
    .selectFrom("conversation_members")
    .select(["conversation_id", "change"])
    .where("member_id", "=", memberId)
    .where("change", ">", String(after))
    .orderBy("change")
    .limit(most)
    .execute();
  const newest = rows.at(-1);
  return {
    event: newest ? Number(newest.change) : after,
    conversations: rows.map(({ conversation_id }) => conversation_id),
  };
}
