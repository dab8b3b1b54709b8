import { type RawBuilder, sql } from "kysely";
import { type EmailTopic, emailTopics, incompleteLink } from "#contract/unsubscribe.ts";
import type { Clock } from "../clock.ts";
import { type Tx, transact } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import { recordAudit } from "../db/record-audit.ts";
import { fieldError } from "../errors.ts";
import { isSameHash, keyedHash } from "../keyed-hash.ts";

/** Saved searches have a switch of their own: the `frequency` "never". */
type OptOutTopic = Exclude<EmailTopic, "saved-search">;

/** SQL: whether the recipient has opted out. `recipient` is a column or a value. */
export function hasStopped(
  topic: OptOutTopic,
  recipient: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from email_opt_outs where topic = ${sql.lit(topic)} and recipient = ${recipient}::text)`;
}

export async function wantsEmails(tx: Tx, topic: OptOutTopic, memberId: string): Promise<boolean> {
  return !(await isStopped(tx, topic, memberId));
}

/** Opts a member in or out. Returns whether anything changed. */
export async function setEmails(
  tx: Tx,
  { topic, memberId }: { topic: OptOutTopic; memberId: string },
  wanted: boolean,
): Promise<boolean> {
  if (!wanted) return await stop(tx, topic, memberId);
  const deleted = await tx
    .deleteFrom("email_opt_outs")
    .where("topic", "=", topic)
    .where("recipient", "=", memberId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Whether the owner of this email address, who need not be a member, has stopped invitations. */
export async function hasStoppedInvitations(tx: Tx, email: string): Promise<boolean> {
  return await isStopped(tx, "invitations", await hashAddress(tx, email));
}

export async function deleteOptOuts(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("email_opt_outs").where("recipient", "=", memberId).execute();
}

/** Whether the link's recipient has opted out, or has deleted the account or the saved search. */
export async function isUnsubscribed(tx: Tx, url: string): Promise<boolean> {
  const token = new URL(url).searchParams.get("token") ?? "";
  const email = await readToken(tx, token);
  if (!email) return false;
  const { topic, id } = email;
  if (topic === "invitations") return await isStopped(tx, topic, id);
  if (topic === "saved-search") return !(await isSearchMailed(tx, id));
  const member = await tx
    .selectFrom("members")
    .select(hasStopped(topic, sql.ref("id")).as("stopped"))
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return member?.stopped ?? true;
}

/**
 * Stops emails of the link's topic, such as invitations (decisions/rewards, decisions/saved).
 * Idempotent. Throws `INVALID_INPUT` unless the token is from an unsubscribe link.
 */
export async function unsubscribe(
  { db, clock }: { db: Parameters<typeof transact>[0]; clock: Clock },
  token: string,
): Promise<void> {
  await transact(db, "unsubscribe", async (tx) => {
    const email = await readToken(tx, token);
    if (!email) throw fieldError("token", incompleteLink);
    const { topic, id } = email;
    if (topic === "saved-search") return await stopSavedSearch(tx, id);
    if (!(await stop(tx, topic, id)) || topic !== "invitations") return;
    const at = clock.now();
    const by = { at, actor: null, verb: "unsubscribe" } as const;
    await recordAudit(tx, { ...by, object: "invitation", objectId: newId(at) });
  });
}

async function isStopped(tx: Tx, topic: OptOutTopic, recipient: string): Promise<boolean> {
  const { stopped } = await tx
    .selectNoFrom(hasStopped(topic, sql.val(recipient)).as("stopped"))
    .executeTakeFirstOrThrow();
  return stopped;
}

async function stop(tx: Tx, topic: OptOutTopic, recipient: string): Promise<boolean> {
  const added = await tx
    .insertInto("email_opt_outs")
    .values({ topic, recipient })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

async function isSearchMailed(tx: Tx, id: string): Promise<boolean> {
  const search = await tx
    .selectFrom("saved_searches")
    .select("frequency")
    .where("id", "=", id)
    .executeTakeFirst();
  return search !== undefined && search.frequency !== "never";
}

async function stopSavedSearch(tx: Tx, id: string): Promise<void> {
  const frequency = "never";
  await tx.updateTable("saved_searches").set({ frequency }).where("id", "=", id).execute();
}

/** Returns undefined unless we signed the token. */
async function readToken(
  tx: Tx,
  token: string,
): Promise<{ topic: EmailTopic; id: string } | undefined> {
  const [subject = "", signature = ""] = token.split(".");
  if (!isSameHash(signature, sign(await readKey(tx), subject))) return undefined;
  const [kind, id = ""] = subject.split(":");
  const topic = emailTopics.find((one) => one === kind);
  return topic && { topic, id };
}

type Needs = { db: Tx; config: { publicUrl: string } };

/** Returns a URL that shows a page for GET and unsubscribes for POST. */
export async function unsubscribeLink(
  { db, config }: Needs,
  { topic, id }: { topic: EmailTopic; id: string },
): Promise<string> {
  const subject = `${topic}:${id}`;
  const token = `${subject}.${sign(await readKey(db), subject)}`;
  return `${config.publicUrl}/unsubscribe?${new URLSearchParams({ token })}`;
}

export async function stopInvitationsLink(needs: Needs, email: string): Promise<string> {
  const id = await hashAddress(needs.db, email);
  return await unsubscribeLink(needs, { topic: "invitations", id });
}

/** Returns a hash to use instead of a member's id, because invited people may not be members. */
async function hashAddress(tx: Tx, email: string): Promise<string> {
  return keyedHash(await readKey(tx), `address ${email}`);
}

async function readKey(tx: Tx): Promise<string> {
  const { key } = await tx
    .selectFrom("invitation_opt_out_key")
    .select("key")
    .executeTakeFirstOrThrow();
  return key;
}

/** Signs a link, so that nobody can forge links for other recipients. */
function sign(key: string, subject: string): string {
  return keyedHash(key, `link ${subject}`);
}
