import { sql } from "kysely";
import { bookingOfGroup, type CardEvent } from "../../adapters/cards/port.ts";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { settlePayment } from "./settle-payment.ts";

/**
 * Stores an event's id, but not its content, which may be personal. Queues jobs that read the
 * current state from the provider. Webhook signatures are verified earlier, in
 * server/adapters/cards/stripe-webhook-events.ts.
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

/** Overlap between two listings, because the provider may list an event late. */
const overlapMs = 10 * 60_000;

/** Handles events whose webhooks never arrived. The provider's list keeps events for 30 days. */
export async function handleMissedEvents(deps: Deps): Promise<void> {
  const { db, cards } = deps;
  if (!(await hasIntents(deps))) return;
  const cursor = await db.selectFrom("event_cursor").select("listed_until").executeTakeFirst();
  const since = cursor && new Date(cursor.listed_until.getTime() - overlapMs);
  const events = await cards.listEvents(since).catch(unlessUnavailable);
  const stored = await findStored(
    deps,
    events.map(({ id }) => id),
  );
  for (const event of events) if (!stored.has(event.id)) await storeWebhookEvent(deps, event);
  if (events.length === 0) return;
  const listed_until = newestTime(events, undefined);
  await db
    .insertInto("event_cursor")
    .values({ listed_until })
    .onConflict((conflict) => conflict.column("only_row").doUpdateSet({ listed_until }))
    .execute();
}

/** Whether any booking has a payment intent. */
export async function hasIntents({ db }: Deps): Promise<boolean> {
  const [first] = await db
    .selectFrom("bookings")
    .select("intent_id")
    .where("intent_id", "is not", null)
    .orderBy("intent_id")
    .limit(1)
    .execute();
  return first !== undefined;
}

/** Ignores an outage of the provider, because the job runs again a minute later. */
function unlessUnavailable(error: unknown): [] {
  if (error instanceof AppError && error.code === "PROVIDER_UNAVAILABLE") return [];
  throw error;
}

async function findStored({ db }: Deps, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("webhook_events")
    .select("id")
    // The ids are one array: a statement can have at most 65,535 parameters.
    .where(sql<boolean>`id = any(${ids})`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns the newest of the times in `listed` and `since`, or 1970 if there are none. */
export function newestTime(
  listed: readonly { createdAt: Date }[],
  since: Date | null | undefined,
): Date {
  // `Math.max(...times)` would fail for a long list: a call can't have that many arguments.
  const newest = listed.reduce(
    (time, { createdAt }) => Math.max(time, createdAt.getTime()),
    since?.getTime() ?? 0,
  );
  return new Date(newest);
}
