import { sql } from "kysely";
import type { Deps } from "../../deps.ts";
import { aggregateErrors } from "../../errors.ts";
import { isOverdue } from "../booking-lifecycle/overdue.ts";
import { endHold } from "../money/end-hold.ts";
import { settlePayment } from "../money/settle-payment.ts";
import { handleMissedEvents } from "./missed-events.ts";

/** One run handles at most this many of each kind; the job runs every minute. */
const batchSize = 200;
const timeoutMs = 50_000;

/**
 * Job `reconcile`: catches up after crashes, lost webhooks, closed browsers and provider outages. Expires
 * overdue holds, records payments and handles missed events. A failure doesn't stop the others; throws an
 * `AggregateError` at the end.
 */
export async function reconcile(deps: Deps): Promise<void> {
  const timedOut = AbortSignal.timeout(timeoutMs);
  const failures: unknown[] = [];
  const each = async (ids: string[], repair: (id: string) => Promise<unknown>) => {
    for (const id of ids) {
      if (timedOut.aborted) return;
      await repair(id).catch((error: unknown) => failures.push(error));
    }
  };
  await each(await overdueHolds(deps), (bookingId) =>
    endHold(deps, { bookingId, transition: "expire", actor: null }),
  );
  // Last: there may be many, and each takes a request to the provider.
  await each(await openIntents(deps), async (intentId) =>
    settlePayment(deps, await deps.cards.findIntent(intentId), "reconciler"),
  );
  await handleMissedEvents(deps).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw aggregateErrors("reconciled", failures);
}

async function openIntents({ db }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("bookings")
    .select("intent_id")
    .where("state", "=", "held")
    .where("intent_id", "is not", null)
    .orderBy(sql`random()`)
    .limit(batchSize)
    .execute();
  return rows.flatMap(({ intent_id }) => intent_id ?? []);
}

async function overdueHolds({ db, clock }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("bookings")
    .select("id")
    .where(isOverdue(clock.now()))
    .orderBy("held_until")
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}
