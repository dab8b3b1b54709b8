import { type EmailTopic, emailTopics, incompleteLink } from "#contract/unsubscribe.ts";
import type { Clock } from "../clock.ts";
import { type Tx, transact } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { subjectOf } from "./unsubscribe-links.ts";

/**
 * How recipients opt out of emails about a topic. `id`: the subject of the unsubscribe link, such
 * as a member or a saved search.
 */
export type OptOut = {
  hasStopped(tx: Tx, id: string): Promise<boolean>;
  /** Stops the emails. A repeated call changes nothing. */
  stop(tx: Tx, id: string, at: Date): Promise<void>;
};

/** The opt-outs of all topics, each defined by a feature (`server/all-opt-outs.ts`). */
export type OptOuts = Record<EmailTopic, OptOut>;

/** Whether the recipient of an email with this unsubscribe link has opted out. */
export async function isUnsubscribed(tx: Tx, optOuts: OptOuts, url: string): Promise<boolean> {
  const token = new URL(url).searchParams.get("token") ?? "";
  const ended = await readToken(tx, token);
  return ended !== undefined && (await optOuts[ended.topic].hasStopped(tx, ended.id));
}

type Needs = { db: Parameters<typeof transact>[0]; clock: Clock; optOuts: OptOuts };

/**
 * Ends the kind of email that had the link: invitations to the recipient (decisions/rewards), or
 * emails that a member asked for (decisions/saved). A repeated call changes nothing. Throws
 * `INVALID_INPUT` unless the token is from an unsubscribe link.
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
