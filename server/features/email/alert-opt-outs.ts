import { type AlertKind, alertKinds } from "#contract/unsubscribe.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { stopReviewEmails, wantsReviewEmails } from "../review-lifecycle/review-settings.ts";
import { linkTo } from "./unsubscribe-links.ts";

/** What an alert is about: the saved laptops, messages or reviews of the member with the id, or the saved search with it. */
export type Alert = { kind: AlertKind; id: string };

/** The page and call that end these emails, for the links in them. */
export async function alertUnsubscribeUrl(deps: Deps, { kind, id }: Alert): Promise<string> {
  return await linkTo(deps, `${kind}:${id}`);
}

export function toAlert(subject: string): Alert | undefined {
  const [kind, id = ""] = subject.split(":");
  const known = alertKinds.find((one) => one === kind);
  return known && { kind: known, id };
}

export async function hasStoppedAlert(tx: Tx, { kind, id }: Alert): Promise<boolean> {
  if (kind === "reviews") return !(await wantsReviewEmails(tx, id));
  return await (kind === "messages"
    ? hasStoppedMessages(tx, id)
    : hasStoppedSaved(tx, { kind, id }));
}

async function hasStoppedMessages(tx: Tx, memberId: string): Promise<boolean> {
  const inbox = await tx
    .selectFrom("message_inboxes")
    .select("emails")
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return inbox?.emails !== true;
}

type SavedAlert = { kind: Exclude<AlertKind, "messages" | "reviews">; id: string };

async function hasStoppedSaved(tx: Tx, { kind, id }: SavedAlert): Promise<boolean> {
  const wanted =
    kind === "saved-search"
      ? tx
          .selectFrom("saved_searches")
          .select("id")
          .where("id", "=", id)
          .where("frequency", "<>", "never")
      : tx
          .selectFrom("saved_product_settings")
          .select("member_id as id")
          .where("member_id", "=", id)
          .where("emails", "=", true);
  return (await wanted.executeTakeFirst()) === undefined;
}

export async function stopAlert(tx: Tx, { kind, id }: Alert, at: Date): Promise<void> {
  if (kind === "reviews") return await stopReviewEmails(tx, id, at);
  if (kind === "messages") {
    await tx
      .updateTable("message_inboxes")
      .set({ emails: false })
      .where("member_id", "=", id)
      .execute();
    return;
  }
  if (kind === "saved-search")
    await tx
      .updateTable("saved_searches")
      .set({ frequency: "never" })
      .where("id", "=", id)
      .execute();
  else
    await tx
      .updateTable("saved_product_settings")
      .set({ emails: false })
      .where("member_id", "=", id)
      .execute();
}
