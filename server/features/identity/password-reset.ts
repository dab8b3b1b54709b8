import { randomBytes, randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { RateLimiter } from "../../db/rate-limits.ts";
import type { DB } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";
import { passwordResetEmail } from "../email/email-templates.ts";
import { confirmAddressOf } from "../members/confirmation.ts";
import { findMemberByEmail } from "../members/members.ts";
import { forgetGuesses } from "./auth-throttling.ts";
import { hashed, hashPrefix, resetPrefix } from "./reset-links.ts";

/** How long a link is good for, how soon the next one is written, in milliseconds, and how many are good at once. */
const goodFor = 60 * 60_000;
const pause = 60_000;
const mostLinks = 5;

/**
 * Leaves the asking to a job, for an address that is known or not: whoever asks meets the same answer
 * in the same time.
 */
export async function requestPasswordReset(db: Kysely<DB>, email: string): Promise<string> {
  await transact(db, "requestPasswordReset", (tx) =>
    enqueue(tx, "offerPasswordReset", { payload: { email } }),
  );
  return `If there is an account for ${email}, a mail with a link is on its way.`;
}

/**
 * Writes to whoever has this address a link to set a new password, good once, for an hour; to nobody where
 * there is no such person. Asked again within a minute, or while five are good, it does nothing: no mailbox
 * is flooded, and whoever else asks takes no link from its owner.
 */
export async function offerPasswordReset(deps: Deps, email: string): Promise<void> {
  await transact(deps.db, "offerPasswordReset", async (tx) => {
    const person = await tx
      .selectFrom("identity.user")
      .select("id")
      .where("email", "=", email)
      .forUpdate()
      .executeTakeFirst();
    if (!person) return;
    const token = await newLink(tx, person.id, deps.clock.now());
    if (token === undefined) return;
    const url = `${deps.config.publicUrl}/reset-password?token=${token}`;
    await deps.queueEmail(tx, { kind: "reset", ...passwordResetEmail(email, url) });
  });
}

/** The token of one more link; undefined where the last one is too new, or enough are good. */
async function newLink(tx: Tx, userId: string, at: Date): Promise<string | undefined> {
  const links = await linksOf(tx, userId)
    .select("createdAt")
    .where("expiresAt", ">", at)
    .orderBy("createdAt", "desc")
    .execute();
  const [last] = links;
  if (last && at.getTime() - last.createdAt.getTime() < pause) return undefined;
  if (links.length >= mostLinks) return undefined;
  const token = randomBytes(24).toString("base64url");
  const link = {
    id: randomUUID(),
    identifier: hashed(`${resetPrefix}${token}`),
    value: userId,
    createdAt: at,
    updatedAt: at,
    expiresAt: new Date(at.getTime() + goodFor),
  };
  await tx.insertInto("identity.verification").values(link).execute();
  return token;
}

function linksOf(tx: Tx, userId: string) {
  return tx
    .selectFrom("identity.verification")
    .where("value", "=", userId)
    .where("identifier", "like", `${hashPrefix}%`);
}

type Reset = { id: string; email: string; address: string | null };

/**
 * After a new password by a link: the link was mailed, so whoever used it has proven the address; the other
 * links are good no more, and wrong guesses of before are in nobody's way.
 */
export async function concludePasswordReset(
  { db, rateLimiter }: { db: Kysely<DB>; rateLimiter: RateLimiter },
  { id, email, address }: Reset,
): Promise<void> {
  const at = new Date();
  await forgetGuesses(rateLimiter, { email, address });
  await transact(db, "concludePasswordReset", async (tx) => {
    await tx
      .updateTable("identity.user")
      .set({ emailVerified: true, updatedAt: at })
      .where("id", "=", id)
      .execute();
    const links = linksOf(tx, id).select("id");
    await tx.deleteFrom("identity.verification").where("id", "in", links).execute();
    const member = await findMemberByEmail(tx, email);
    if (!member) return;
    await confirmAddressOf(tx, member.id, at);
    const verb = "reset password";
    await recordAudit(tx, { at, actor: member.id, verb, object: "member", objectId: member.id });
  });
}
