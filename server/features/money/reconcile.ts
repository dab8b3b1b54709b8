import { sql } from "kysely";
import type { Deps } from "../../deps.ts";
import { runParts } from "../../jobs/define-jobs.ts";
import { isOverdue } from "../deals/booking-columns.ts";
import { endHold } from "../deals/end-hold.ts";
import { settlePayment } from "./settle-payment.ts";
import { handleMissedEvents } from "./webhook-events.ts";

/** Maximum holds, and maximum intents, in a run. The job runs every minute. */
const batchSize = 200;
const timeoutMs = 50_000;

/** Job `reconcile`: catches up after crashes, lost webhooks, closed browsers or outages. */
export async function reconcile(deps: Deps): Promise<void> {
  const timedOut = AbortSignal.timeout(timeoutMs);
  await runParts("reconciled", async (attempt) => {
    for (const bookingId of await overdueHolds(deps))
      await attempt(() => endHold(deps, { bookingId, transition: "expire", actor: null }));
    // Stops at the timeout: there may be many intents, and each needs a request to the provider.
    for (const intentId of await openIntents(deps)) {
      if (timedOut.aborted) break;
      await attempt(async () =>
        settlePayment(deps, await deps.cards.findIntent(intentId), "reconciler"),
      );
    }
    await attempt(() => handleMissedEvents(deps));
  });
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
