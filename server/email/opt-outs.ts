import { type EmailTopic, emailTopics, incompleteLink } from "#contract/unsubscribe.ts";
import type { Clock } from "../clock.ts";
import { type Tx, transact } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { subjectOf } from "./unsubscribe-links.ts";

/**
 * How recipients opt out of emails about a topic. `id`: what the link is about, such as the member
 * or the saved search.
 */
export type OptOut = {
  hasStopped(tx: Tx, id: string): Promise<boolean>;
  /** Repeating it changes nothing. */
  stop(tx: Tx, id: string, at: Date): Promise<void>;
};

/** Each feature defines its own (`server/all-opt-outs.ts`). */
export type OptOuts = Record<EmailTopic, OptOut>;

/** Whether the recipient of an email with this unsubscribe link has opted out. */
export async function isUnsubscribed(tx: Tx, optOuts: OptOuts, url: string): Promise<boolean> {
  const token = new URL(url).searchParams.get("token") ?? "";
  const ended = await readToken(tx, token);
  return ended !== undefined && (await optOuts[ended.topic].hasStopped(tx, ended.id));
}

type Needs = { db: Parameters<typeof transact>[0]; clock: Clock; optOuts: OptOuts };

/**
 * Ends the emails the link was in: all invitations to its recipient (decisions/rewards), or emails
 * that a member asked for (decisions/saved). Repeating it changes nothing. Throws `INVALID_INPUT`
 * unless the token belongs to such a link.
 */
export async function unsubscribe({ db, clock, optOuts }: Needs, token: string): Promise<void> {
  await transact(db, "unsubscribe", async (tx) => {
    const ended = await readToken(tx, token);
    if (!ended) throw new AppError("INVALID_INPUT", incompleteLink, { token: incompleteLink });
    await optOuts[ended.topic].stop(tx, ended.id, clock.now());
  });
}

async function readToken(tx: Tx, token: string) {
  const [kind, id = ""] = (await subjectOf(tx, token))?.split(":") ?? [];
  const topic = emailTopics.find((one) => one === kind);
  return topic && { topic, id };
}
