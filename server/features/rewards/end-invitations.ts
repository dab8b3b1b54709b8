import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { expireCreditOf } from "./expire-credits.ts";
import { mailboxOf } from "./mailbox.ts";
import { recordTrace } from "./member-traces.ts";

/** The latest time that a `Date` can hold. */
const endOfTime = new Date(8.64e15);

/**
 * Ends a deleted member's invitation code and credit. Invited friends keep the discount. The keyed
 * hash of a confirmed mailbox stays for a while, so that the same person can't become a new friend
 * with another account.
 */
export async function endInvitationsOf(
  tx: Tx,
  deps: Deps,
  { id, email, isConfirmed }: { id: string; email: string; isConfirmed: boolean },
): Promise<void> {
  const at = deps.clock.now();
  await tx.deleteFrom("invitation_codes").where("member_id", "=", id).execute();
  await tx
    .updateTable("invitations")
    .set({ shown_as: "" })
    .where("inviter_id", "=", id)
    .where("shown_as", "<>", "")
    .execute();
  if (isConfirmed)
    await recordTrace(tx, { kind: "mailbox", value: mailboxOf(email) }, { memberId: id, at });
  await expireCreditOf(tx, deps, { memberId: id, until: endOfTime });
}
