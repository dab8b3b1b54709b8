import { createHmac } from "node:crypto";
import type { Tx } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import type { OptOut } from "../../email/opt-outs.ts";
import { readKey, unsubscribeLink } from "../../email/unsubscribe-links.ts";

/** The link that stops invitations to an address, for the email and its List-Unsubscribe. */
export async function stopInvitationsLink(deps: Deps, email: string): Promise<string> {
  const id = hashEmail(await readKey(deps.db), email);
  return await unsubscribeLink(deps, { topic: "invitations", id });
}

/** Whether an address has asked for no more invitations. */
export async function hasOptedOut(tx: Tx, email: string): Promise<boolean> {
  return await invitationOptOut.hasStopped(tx, hashEmail(await readKey(tx), email));
}

/** Opt-out from invitations, identified by the hash of the address, which may not be a member's. */
export const invitationOptOut: OptOut = {
  async hasStopped(tx, hash) {
    const found = await tx
      .selectFrom("invitation_opt_outs")
      .select("id")
      .where("email_hash", "=", hash)
      .executeTakeFirst();
    return found !== undefined;
  },
  async stop(tx, hash, at) {
    const id = newId(at);
    const added = await tx
      .insertInto("invitation_opt_outs")
      .values({ id, email_hash: hash })
      .onConflict((conflict) => conflict.column("email_hash").doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) return;
    const by = { at, actor: null, verb: "unsubscribe" } as const;
    await recordAudit(tx, { ...by, object: "invitation", objectId: id });
  },
};

function hashEmail(key: string, email: string): string {
  return createHmac("sha256", key).update(`address ${email}`).digest("base64url");
}
