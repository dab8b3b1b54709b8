import type { CardEvent } from "../../adapters/cards/port.ts";
import { bookingOfGroup } from "../../adapters/cards/seller-payouts-port.ts";
import { transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Deps } from "../../deps.ts";
import { settlePayment } from "./settle-payment.ts";

/**
 * Stores only the event's id. The content may be personal, and the job reads it from the provider.
 * Signatures are verified earlier, in server/adapters/cards/stripe-webhook-events.ts.
 */
export async function storeWebhookEvent(
  deps: Deps,
  { id, intentId, accountId, transferGroup }: Omit<CardEvent, "otherApiVersion">,
): Promise<void> {
  await transact(deps.db, "storeWebhookEvent", async (tx) => {
    const inserted = await tx
      .insertInto("webhook_events")
      .values({ id, received_at: deps.clock.now() })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 0n) return;
    if (intentId !== undefined) await enqueue(tx, "settleIntent", { payload: { intentId } });
    if (accountId !== undefined) await enqueue(tx, "readSellerAccount", { payload: { accountId } });
    const bookingId = transferGroup === undefined ? undefined : bookingOfGroup(transferGroup);
    if (bookingId !== undefined) await enqueue(tx, "recordReversals", { payload: { bookingId } });
  });
}

/** Job `settleIntent`: records a payment intent's payment, refunds and disputes. */
export async function settleIntent(deps: Deps, intentId: string): Promise<void> {
  await settlePayment(deps, await deps.cards.findIntent(intentId), "webhook");
}
