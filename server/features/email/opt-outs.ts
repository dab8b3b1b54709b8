import { createHmac } from "node:crypto";
import { incompleteLink } from "#contract/unsubscribe.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { hasStoppedAlert, stopAlert, toAlert } from "./alert-opt-outs.ts";
import { linkTo, readKey, subjectOf } from "./unsubscribe-links.ts";

/** The page and call that stop invitations to an address, for the link in an invitation and its List-Unsubscribe. */
export async function unsubscribeUrl(deps: Deps, email: string): Promise<string> {
  return await linkTo(deps, hashEmail(await readKey(deps.db), email));
}

/** Whether an address has asked for no more invitations. */
export async function hasOptedOut(tx: Tx, email: string): Promise<boolean> {
  const found = await tx
    .selectFrom("invitation_opt_outs")
    .select("id")
    .where("email_hash", "=", hashEmail(await readKey(tx), email))
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether its recipient has ended the emails that this one, with such a link, is one of. */
export async function isUnsubscribed(
  tx: Tx,
  { to, unsubscribeUrl }: { to: string; unsubscribeUrl: string },
): Promise<boolean> {
  const token = new URL(unsubscribeUrl).searchParams.get("token") ?? "";
  const alert = toAlert((await subjectOf(tx, token)) ?? "");
  return alert ? await hasStoppedAlert(tx, alert) : await hasOptedOut(tx, to);
}

/**
 * Ends the emails that the link was in: invitations to the address it was sent to, for good (decision 0047), or
 * what a member asked for (decision 0053). Repeated, it changes nothing. Refuses `INVALID_INPUT` unless the token
 * is of such a link.
 */
export async function unsubscribe({ db, clock }: Deps, token: string): Promise<void> {
  await transact(db, "unsubscribe", async (tx) => {
    const subject = await subjectOf(tx, token);
    if (subject === undefined)
      throw new AppError("INVALID_INPUT", incompleteLink, { token: incompleteLink });
    const alert = toAlert(subject);
    const at = clock.now();
    if (alert) return await stopAlert(tx, alert, at);
    const id = newId(at);
    const added = await tx
      .insertInto("invitation_opt_outs")
      .values({ id, email_hash: subject, opted_out_at: at })
      .onConflict((conflict) => conflict.column("email_hash").doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) return;
    const by = { at, actor: null, verb: "unsubscribe" } as const;
    await recordAudit(tx, { ...by, object: "invitation", objectId: id });
  });
}

function hashEmail(key: string, email: string): string {
  return createHmac("sha256", key).update(`address ${email}`).digest("base64url");
}
