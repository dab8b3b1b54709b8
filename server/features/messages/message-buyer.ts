import { liveBookingStates } from "#contract/life-cycle.ts";
import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { lockPair } from "./block-member.ts";
import {
  addMessage,
  findSent,
  perPair,
  requireReachable,
  startConversation,
} from "./send-message.ts";

type Written = { bookingId: string; text: string; key: string };

/**
 * Writes to the buyer who holds or has bought the seller's laptop, in the conversation about the
 * laptop. Returns the conversation's id. A repeated call with the same key changes nothing. Throws
 * `NOT_FOUND`, `BLOCKED`, `GONE` or `TOO_MANY_REQUESTS`.
 */
export async function messageBuyer(
  deps: Deps,
  seller: Member,
  { bookingId, ...draft }: Written,
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
    .executeTakeFirst();
  if (!deal) throw new AppError("NOT_FOUND", "You have no such sale, or it has ended.");
  const { buyer_id: buyerId, product_id: productId } = deal;
  await requireReachable(deps.db, seller, buyerId);
  await deps.rateLimiter.consume(perPair, `${seller.id} ${buyerId}`);
  return await transact(deps.db, "messageBuyer", async (tx) => {
    await lockPair(tx, [seller.id, buyerId]);
    const sides = { buyerId, sellerId: seller.id };
    const conversationId = await startConversation(tx, deps, { ...sides, productId });
    await addMessage(tx, deps, { sender: seller, recipient: buyerId, conversationId, ...draft });
    return conversationId;
  });
}
