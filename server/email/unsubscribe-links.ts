import type { EmailTopic } from "#contract/unsubscribe.ts";
import type { Tx } from "../db/database.ts";
import { isSameHash, keyedHash } from "../keyed-hash.ts";

type Needs = { db: Tx; config: { publicUrl: string } };

/** Returns the unsubscribe link for a topic. Its URL is both a page and an API call. */
export async function unsubscribeLink(
  { db, config }: Needs,
  { topic, id }: { topic: EmailTopic; id: string },
): Promise<string> {
  const subject = `${topic}:${id}`;
  const token = `${subject}.${sign(await readKey(db), subject)}`;
  return `${config.publicUrl}/unsubscribe?${new URLSearchParams({ token })}`;
}

/** Returns the link that an invitation's recipient can use to stop all invitations. */
export async function stopInvitationsLink(needs: Needs, email: string): Promise<string> {
  const id = await hashAddress(needs.db, email);
  return await unsubscribeLink(needs, { topic: "invitations", id });
}

/** Identifies the recipient of an invitation, who may not be a member. */
export async function hashAddress(tx: Tx, email: string): Promise<string> {
  return keyedHash(await readKey(tx), `address ${email}`);
}

/** The subject of a link's token. Undefined unless we signed the token. */
export async function subjectOf(tx: Tx, token: string): Promise<string | undefined> {
  const [subject = "", signature = ""] = token.split(".");
  return isSameHash(signature, sign(await readKey(tx), subject)) ? subject : undefined;
}

/** Reads the key for address hashes and link signatures. */
export async function readKey(tx: Tx): Promise<string> {
  const { key } = await tx
    .selectFrom("invitation_opt_out_key")
    .select("key")
    .executeTakeFirstOrThrow();
  return key;
}

/** Signs a link, so that links for other recipients can't be forged. */
function sign(key: string, subject: string): string {
  return keyedHash(key, `link ${subject}`);
}
