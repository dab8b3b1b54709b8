import type { OptOut } from "../../email/opt-outs.ts";

/** By the id of the member. */
export const messageOptOut: OptOut = {
  async hasStopped(tx, memberId) {
    const inbox = await tx
      .selectFrom("message_inboxes")
      .select("emails")
      .where("member_id", "=", memberId)
      .executeTakeFirst();
    return inbox?.emails !== true;
  },
  async stop(tx, memberId) {
    await tx
      .updateTable("message_inboxes")
      .set({ emails: false })
      .where("member_id", "=", memberId)
      .execute();
  },
};
