import { createHmac, timingSafeEqual } from "node:crypto";
import { incompleteLink } from "#contract/invites.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";

/** The page and call that stop invitations to an address, for the link in an invitation and its List-Unsubscribe. */
export async function unsubscribeUrl({ db, config }: Deps, email: string): Promise<string> {
  const key = await readKey(db);
  const hash = hashEmail(key, email);
  const token = `${hash}.${sign(key, hash)}`;
  return `${config.publicUrl}/unsubscribe?${new URLSearchParams({ token })}`;
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

/**
 * Stops invitations to the address an unsubscribe link was sent to, for good (decision 0047). Repeated, it changes
 * nothing. Refuses `INVALID_INPUT` unless the token is of such a link.
 */
export async function unsubscribe({ db, clock }: Deps, token: string): Promise<void> {
  await transact(db, "unsubscribe", async (tx) => {
    const [hash = "", signature = ""] = token.split(".");
    if (!isSame(signature, sign(await readKey(tx), hash))) {
      throw new AppError("INVALID_INPUT", incompleteLink, { token: incompleteLink });
    }
    const at = clock.now();
    const id = newId(at);
    const added = await tx
      .insertInto("invitation_opt_outs")
      .values({ id, email_hash: hash, opted_out_at: at })
      .onConflict((conflict) => conflict.column("email_hash").doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) return;
    const by = { at, actor: null, verb: "unsubscribe" } as const;
    await recordAudit(tx, { ...by, object: "invitation", objectId: id });
  });
}

async function readKey(tx: Tx): Promise<string> {
  const { key } = await tx
    .selectFrom("invitation_opt_out_key")
    .select("key")
    .executeTakeFirstOrThrow();
  return key;
}

function hashEmail(key: string, email: string): string {
  return createHmac("sha256", key).update(`address ${email}`).digest("base64url");
}

/** Nobody can make up the token of an address, or fill the table with made-up hashes. */
function sign(key: string, hash: string): string {
  return createHmac("sha256", key).update(`link ${hash}`).digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
