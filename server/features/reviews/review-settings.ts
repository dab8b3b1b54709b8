import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import type { OptOut } from "../../email/opt-outs.ts";

/** Whether the member gets emails about reviews. */
export async function wantsReviewEmails(tx: Tx, memberId: string): Promise<boolean> {
  const stopped = await tx
    .selectFrom("review_email_opt_outs")
    .select("member_id")
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return stopped === undefined;
}

/** Turns emails about reviews on or off. A repeated call changes nothing. */
export async function setReviewEmails(
  { db }: Deps,
  { id }: Member,
  emails: boolean,
): Promise<void> {
  if (emails) return await deleteReviewSettings(db, id);
  await stopReviewEmails(db, id);
}

export async function stopReviewEmails(tx: Tx, memberId: string): Promise<void> {
  await tx
    .insertInto("review_email_opt_outs")
    .values({ member_id: memberId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteReviewSettings(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("review_email_opt_outs").where("member_id", "=", memberId).execute();
}

/** Erases the comments of deleted members' reports. The members' reviews stay, without a name. */
export async function eraseReviewReports(tx: Tx, memberIds: string[]): Promise<void> {
  await tx
    .updateTable("review_reports")
    .set({ comment: "" })
    .where("reporter_id", "in", memberIds)
    .execute();
}

/** Opt-out from emails about reviews, identified by the member's id. */
export const reviewOptOut: OptOut = {
  hasStopped: async (tx, memberId) => !(await wantsReviewEmails(tx, memberId)),
  stop: stopReviewEmails,
};
