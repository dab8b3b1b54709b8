import { sql } from "kysely";
import { hasAddress } from "#contract/text.ts";
import { type Tx, transact } from "../../db/database.ts";
import { forEachId } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailMessage } from "../../email/email.ts";
import { nameOf } from "../../email/email-phrases.ts";
import { hasStopped, unsubscribeLink } from "../../email/opt-outs.ts";
import { shownNameColumn } from "../saved/saved-products.ts";

/** Delay before retrying an email that the email queue didn't accept. */
const retryMs = 60 * 60_000;

/** Job `mailMessages`, every minute. */
export async function mailMessages(deps: Deps): Promise<void> {
  const due = deps.db
    .selectFrom("conversation_members")
    .distinct()
    .where("email_due_at", "<=", deps.clock.now());
  await forEachId(due, "member_id", (memberId) => mailMember(deps, memberId));
}

async function mailMember(deps: Deps, memberId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `mailMessages ${memberId}`, async (tx) => {
    for (const { wanted, ...about } of await lockDue(tx, memberId, at)) {
      const isQueued = wanted && (await mail(tx, deps, about));
      const later = wanted && !isQueued ? new Date(at.getTime() + retryMs) : null;
      await tx
        .updateTable("conversation_members")
        .set({ email_due_at: later, ...(isQueued && { emailed_at: at }) })
        .where("conversation_id", "=", about.conversation_id)
        .where("member_id", "=", memberId)
        .execute();
    }
  });
}

/** Skips conversations that another node is emailing about. */
async function lockDue(tx: Tx, memberId: string, at: Date) {
  const rows = await tx
    .selectFrom("conversation_members as own")
    .innerJoin("conversations as c", "c.id", "own.conversation_id")
    .innerJoin("products", "products.id", "c.product_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .innerJoin("members", "members.id", "own.member_id")
    .select(["own.conversation_id", "own.member_id", "own.unread", "members.name", "members.email"])
    .select(["members.deleted_at", "members.suspended_at"])
    .select(hasStopped("messages", sql.ref("own.member_id")).as("stopped"))
    .select(hasBlocked.as("blocked"))
    .select(shownNameColumn.as("laptop"))
    .where("own.member_id", "=", memberId)
    .where("own.email_due_at", "<=", at)
    .orderBy("own.conversation_id")
    .forUpdate("own")
    .skipLocked()
    .execute();
  return rows.map(({ deleted_at, suspended_at, stopped, blocked, ...row }) => {
    const isActive = deleted_at === null && suspended_at === null;
    return { ...row, wanted: row.unread > 0 && !stopped && !blocked && isActive };
  });
}

const hasBlocked = sql<boolean>`exists (
  select from conversation_members side join blocked_members on blocked_id = side.member_id
  where side.conversation_id = own.conversation_id and blocked_members.member_id = own.member_id)`;

type Due = Omit<Awaited<ReturnType<typeof lockDue>>[number], "wanted">;

async function mail(tx: Tx, deps: Deps, due: Due): Promise<boolean> {
  const unsubscribeUrl = await unsubscribeLink(deps, { topic: "messages", id: due.member_id });
  const url = `${deps.config.publicUrl}/dashboard/messages?conversation=${due.conversation_id}`;
  const email = messagesEmail({ ...due, url, unsubscribeUrl });
  return await deps.emailQueue.add(tx, { kind: "message", ...addressedTo(due), ...email });
}

type Unread = { laptop: string | null; unread: number; url: string; unsubscribeUrl: string };

/** The email contains neither the sender's name nor the text of the messages. */
export function messagesEmail({ laptop, unread, url, unsubscribeUrl }: Unread): EmailMessage {
  const shown = laptop === null || hasAddress(laptop) ? "a laptop" : laptop;
  const news = unread === 1 ? "a new message" : `${unread} new messages`;
  return {
    name: "new-messages",
    values: { messages: news, laptop: shown },
    paragraphs: [
      `You have ${news} about ${laptop === null ? "a laptop" : nameOf(laptop)}. Read and answer on {shop}.`,
    ],
    action: { label: "Read messages", url },
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about messages",
  };
}
