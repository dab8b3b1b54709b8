import { type EmailTopic, emailTopics, incompleteLink } from "#contract/unsubscribe.ts";
import type { Clock } from "../clock.ts";
import { type Tx, transact } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { subjectOf } from "./unsubscribe-links.ts";

/** How the emails about a topic end. `id`: what the link is about, such as the member or the saved search. */
export type OptOut = {
  hasStopped(tx: Tx, id: string): Promise<boolean>;
  /** Repeated, it changes nothing. */
  stop(tx: Tx, id: string, at: Date): Promise<void>;
};

/** Each feature defines its own (`server/all-opt-outs.ts`). */
export type OptOuts = Record<EmailTopic, OptOut>;

/** Whether its recipient has ended the emails that this one, with such a link, is one of. */
export async function isUnsubscribed(tx: Tx, optOuts: OptOuts, url: string): Promise<boolean> {
  const token = new URL(url).searchParams.get("token") ?? "";
  const ended = await readToken(tx, token);
  return ended !== undefined && (await optOuts[ended.topic].hasStopped(tx, ended.id));
}

type Needs = { db: Parameters<typeof transact>[0]; clock: Clock; optOuts: OptOuts };

/**
 * Ends the emails that the link was in: invitations to the address it was sent to, for good (decisions/rewards), or
 * what a member asked for (decisions/saved). Repeated, it changes nothing. Refuses `INVALID_INPUT` unless the token
 * is of such a link.
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
