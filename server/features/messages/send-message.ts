import { sql } from "kysely";
import { liveBookingStates } from "#contract/life-cycle.ts";
import { maxMessagesPerPair, maxNewContactsPerDay } from "#contract/messages.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { attachPhotos } from "../images/attach-photos.ts";
import { maskContacts } from "../masking/mask-contacts.ts";
import { refreshReplyTime } from "../reviews/reply-time.ts";
import { lockPair } from "./block-member.ts";
import { findOtherMember } from "./conversations.ts";
import { recordInboxChanges } from "./message-inbox.ts";
import { maySendPhotos } from "./shown-text.ts";

const minuteMs = 60_000;

/** `first`: the delay before the first email. `next`: the minimum time between emails. */
const emailDelayMs = { first: 2 * minuteMs, next: 15 * minuteMs };

const perPair = { name: "messages to a member", max: maxMessagesPerPair, minutes: 60 };
const newContacts = { name: "new contacts", max: maxNewContactsPerDay, minutes: 24 * 60 };

type Draft = { text: string; key: string; photos?: string[] };

/**
 * Returns the conversation's id. A repeated `key` changes nothing. Throws `NOT_FOUND`, `BLOCKED`,
 * `GONE` or `TOO_MANY_REQUESTS`.
 */
export async function askSeller(
  deps: Deps,
  buyer: Member,
  { product, ...draft }: Draft & { product: { _id: string } },
): Promise<string> {
  const sent = await findSent(deps.db, buyer, draft.key);
  if (sent) return sent.conversation_id;
  const { sellerId, isFirst } = await findOffer(deps.db, buyer, product._id);
  await requireReachable(deps.db, buyer, sellerId);
  if (isFirst) await deps.rateLimiter.consume(newContacts, buyer.id);
  const start = { buyerId: buyer.id, sellerId, productId: product._id };
  return await writeAboutLaptop(deps, start, { sender: buyer, recipient: sellerId, ...draft });
}

/** Writes in the pair's conversation about the laptop, or starts it. Returns its id. */
async function writeAboutLaptop(deps: Deps, start: Start, message: NewMessage): Promise<string> {
  const { sender, recipient } = message;
  await deps.rateLimiter.consume(perPair, `${sender.id} ${recipient}`);
  return await transact(deps.db, "writeAboutLaptop", async (tx) => {
    await lockPair(tx, [sender.id, recipient]);
    const conversationId = await startConversation(tx, deps, start);
    await addMessage(tx, deps, { conversationId, ...message });
    return conversationId;
  });
}

/**
 * A repeated `key` returns the first message's id. Throws `NOT_FOUND`, `BLOCKED`, `GONE`,
 * `TOO_MANY_REQUESTS`, `IMAGE_NOT_OURS`. Throws `STALE` for photos from a buyer without a deal.
 */
export async function sendMessage(
  deps: Deps,
  sender: Member,
  { conversationId, ...draft }: Draft & { conversationId: string },
): Promise<string> {
  const sent = await findSent(deps.db, sender, draft.key);
  if (sent) return sent.id;
  const recipient = await findOtherMember(deps.db, sender, conversationId);
  await requireReachable(deps.db, sender, recipient);
  await deps.rateLimiter.consume(perPair, `${sender.id} ${recipient}`);
  return await transact(deps.db, "sendMessage", async (tx) => {
    await lockPair(tx, [sender.id, recipient]);
    return await addMessage(tx, deps, { sender, recipient, conversationId, ...draft });
  });
}

async function findSent(tx: Tx, sender: Member, key: string) {
  return await tx
    .selectFrom("messages")
    .select(["id", "conversation_id"])
    .where("sender_id", "=", sender.id)
    .where("key", "=", key)
    .executeTakeFirst();
}

/** `isFirst`: the buyer has never had a conversation with this seller, about any laptop. */
type Offer = { sellerId: string; isFirst: boolean };

/** Finds the seller of a laptop. Throws `NOT_FOUND` if the buyer may not ask about the laptop. */
async function findOffer(tx: Tx, buyer: Member, productId: string): Promise<Offer> {
  const product = await tx
    .selectFrom("products")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .select(["seller.id", "products.sales_status", "products.deleted_at", "seller.suspended_at"])
    .select(({ exists, selectFrom }) => [
      exists(
        selectFrom("conversations")
          .where("product_id", "=", productId)
          .where("buyer_id", "=", buyer.id),
      ).as("has_written"),
      exists(
        selectFrom("conversation_members as own")
          .innerJoin("conversation_members as side", "side.conversation_id", "own.conversation_id")
          .where("own.member_id", "=", buyer.id)
          .whereRef("side.member_id", "=", "seller.id"),
      ).as("knows_seller"),
      exists(
        selectFrom("bookings").where("product_id", "=", productId).where("buyer_id", "=", buyer.id),
      ).as("has_booked"),
    ])
    .where("products.id", "=", productId)
    .where("seller.id", "!=", buyer.id)
    .executeTakeFirst();
  const isOffered =
    product?.deleted_at === null &&
    product.sales_status !== "sold" &&
    product.sales_status !== "waiting" &&
    product.suspended_at === null;
  if (!product || !(isOffered || product.has_written || product.has_booked))
    throw new AppError("NOT_FOUND", "This laptop is no longer for sale.");
  return { sellerId: product.id, isFirst: !product.knows_seller };
}

type Start = { buyerId: string; sellerId: string; productId: string };

/** Finds or creates the buyer's conversation about a laptop. */
async function startConversation(
  tx: Tx,
  { clock }: Deps,
  { buyerId, productId, sellerId }: Start,
): Promise<string> {
  const at = clock.now();
  const { id } = await tx
    .insertInto("conversations")
    .values({ id: newId(at), product_id: productId, buyer_id: buyerId, last_message_at: at })
    // The update changes nothing, but locks an existing conversation.
    .onConflict((conflict) =>
      conflict.columns(["product_id", "buyer_id"]).doUpdateSet({ buyer_id: buyerId }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  const side = { conversation_id: id, last_message_at: at, read_at: at };
  await tx
    .insertInto("conversation_members")
    .values([
      { ...side, member_id: buyerId, role: "buyer" },
      { ...side, member_id: sellerId, role: "seller" },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return id;
}

type NewMessage = Draft & { sender: Member; recipient: string };

/** Locks the conversation, so that each message is later than the one before. */
async function addMessage(
  tx: Tx,
  deps: Deps,
  message: NewMessage & { conversationId: string },
): Promise<string> {
  const { sender, recipient, conversationId, text, key, photos = [] } = message;
  const { last_message_at } = await tx
    .selectFrom("conversations")
    .select("last_message_at")
    .where("id", "=", conversationId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const sent = await findSent(tx, sender, key);
  if (sent) return sent.id;
  await requireReachable(tx, sender, recipient);
  const at = new Date(Math.max(deps.clock.now().getTime(), last_message_at.getTime() + 1));
  const id = newId(at);
  await tx
    .insertInto("messages")
    .values({
      id,
      key,
      text,
      conversation_id: conversationId,
      sender_id: sender.id,
      sent_at: at,
      masked_text: maskContacts(text),
    })
    .execute();
  if (photos.length > 0) {
    await requirePhotosAllowed(tx, conversationId, sender);
    await attachPhotos(tx, sender, { messageId: id, photos });
  }
  await countMessage(tx, { conversationId, recipient, at, now: deps.clock.now() });
  const by = { actor: sender.id, verb: "send message" };
  await recordInboxChanges(tx, conversationId, { ...by, memberIds: [sender.id, recipient] });
  await refreshReplyTime(tx, { conversationId, senderId: sender.id, at });
  return id;
}

/** Throws `STALE` for a buyer without a deal, so that strangers can't send photos to sellers. */
async function requirePhotosAllowed(tx: Tx, conversationId: string, { id }: Member): Promise<void> {
  const { may } = await tx
    .selectFrom("conversations as c")
    .select(maySendPhotos(id).as("may"))
    .where("c.id", "=", conversationId)
    .executeTakeFirstOrThrow();
  if (!may) throw new AppError("STALE", "You can send photos once you hold this laptop.");
}

/** Throws `GONE` if the recipient can't receive messages, `BLOCKED` if either blocked the other. */
export async function requireReachable(tx: Tx, sender: Member, recipientId: string): Promise<void> {
  const recipient = await tx
    .selectFrom("members")
    .select(["deleted_at", "suspended_at"])
    .where("id", "=", recipientId)
    .executeTakeFirstOrThrow();
  if (recipient.deleted_at ?? recipient.suspended_at)
    throw new AppError("GONE", "This member no longer receives messages.");
  const block = await tx
    .selectFrom("blocked_members")
    .select("member_id")
    .where("member_id", "in", [sender.id, recipientId])
    .where("blocked_id", "in", [sender.id, recipientId])
    .executeTakeFirst();
  if (!block) return;
  throw new AppError(
    "BLOCKED",
    block.member_id === sender.id
      ? "You have blocked this member. Unblock them to write to them."
      : "You can't write to this member.",
  );
}

type Counted = { conversationId: string; recipient: string; at: Date; now: Date };

/** Counts the message as unread, and schedules an email unless one is already scheduled. */
async function countMessage(
  tx: Tx,
  { conversationId, recipient, at, now }: Counted,
): Promise<void> {
  const first = new Date(now.getTime() + emailDelayMs.first);
  const pause = sql`make_interval(secs => ${emailDelayMs.next / 1_000})`;
  const due = sql`coalesce(email_due_at, greatest(${first}::timestamptz, emailed_at + ${pause}))`;
  await tx
    .updateTable("conversations")
    .set({ last_message_at: at })
    .where("id", "=", conversationId)
    .execute();
  await sql`
    update conversation_members set last_message_at = ${at},
      unread = case when member_id = ${recipient} then unread + 1 else unread end,
      email_due_at = case when member_id = ${recipient} then ${due} else email_due_at end
    where conversation_id = ${conversationId}`.execute(tx);
}

/**
 * Returns the conversation's id. A repeated `key` changes nothing. Throws `NOT_FOUND`, `BLOCKED`,
 * `GONE` or `TOO_MANY_REQUESTS`.
 */
export async function messageBuyer(
  deps: Deps,
  seller: Member,
  { bookingId, ...draft }: Draft & { bookingId: string },
): Promise<string> {
  const sent = await findSent(deps.db, seller, draft.key);
  if (sent) return sent.conversation_id;
  const deal = await deps.db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["bookings.buyer_id", "bookings.product_id"])
    .where("bookings.id", "=", bookingId)
    .where("bookings.state", "in", liveBookingStates)
    .where("products.seller_id", "=", seller.id)
    .executeTakeFirstOrThrow(orNotFound("You have no such sale, or it has ended."));
  const { buyer_id: buyerId, product_id: productId } = deal;
  await requireReachable(deps.db, seller, buyerId);
  const start = { buyerId, sellerId: seller.id, productId };
  return await writeAboutLaptop(deps, start, { sender: seller, recipient: buyerId, ...draft });
}
