import { createHmac, timingSafeEqual } from "node:crypto";
import type { EmailTopic } from "#contract/unsubscribe.ts";
import type { Tx } from "../db/database.ts";

type Needs = { db: Tx; config: { publicUrl: string } };

/** The link in emails about a topic that ends them. Its address is both a page and a call. */
export async function unsubscribeLink(
  { db, config }: Needs,
  { topic, id }: { topic: EmailTopic; id: string },
): Promise<string> {
  const subject = `${topic}:${id}`;
  const token = `${subject}.${sign(await readKey(db), subject)}`;
  return `${config.publicUrl}/unsubscribe?${new URLSearchParams({ token })}`;
}

/** The subject of a link's token. Undefined unless we signed it. */
export async function subjectOf(tx: Tx, token: string): Promise<string | undefined> {
  const [subject = "", signature = ""] = token.split(".");
  return isSame(signature, sign(await readKey(tx), subject)) ? subject : undefined;
}

/** The key for address hashes and link signatures. */
export async function readKey(tx: Tx): Promise<string> {
  const { key } = await tx
    .selectFrom("invitation_opt_out_key")
    .select("key")
    .executeTakeFirstOrThrow();
  return key;
}

/** Prevents forged links for other recipients. */
function sign(key: string, subject: string): string {
  return createHmac("sha256", key).update(`link ${subject}`).digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
