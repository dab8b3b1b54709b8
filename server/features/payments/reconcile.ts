import { sql } from "kysely";
import type { Deps } from "../../deps.ts";
import { aggregateErrors } from "../../errors.ts";
import { endHold } from "../bookings/hold-expiry.ts";
import { refundPayment } from "./refunds.ts";
import { settlePayment } from "./settle-payment.ts";

/** How much of each kind one run takes on, and for how long; what is left waits for the next minute. */
const share = 200;
const patience = 50_000;

/**
 * Mends what a crash, a lost webhook, a closed browser or a provider that was away left behind: money
 * that arrived, holds that ran out, refunds still due. One that fails holds up no other; throws at the
 * end where any did.
 */
export async function reconcile(deps: Deps): Promise<void> {
  const over = AbortSignal.timeout(patience);
  const failures: unknown[] = [];
  const each = async (ids: string[], mend: (id: string) => Promise<unknown>) => {
    for (const id of ids) {
      if (over.aborted) return;
      await mend(id).catch((error: unknown) => failures.push(error));
    }
  };
  await each(await overdueHolds(deps), (bookingId) =>
    endHold(deps, { bookingId, transition: "expire", actor: null }),
  );
  await each(await dueRefunds(deps), (paymentId) => refundPayment(deps, paymentId));
  // Last, for there may be many, each a question to the provider.
  await each(await openIntents(deps), async (intentId) =>
    settlePayment(deps, await deps.cards.findIntent(intentId), "reconciler"),
  );
  if (failures.length > 0) throw aggregateErrors("reconciled", failures);
}

async function openIntents({ db }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("bookings")
    .select("intent_id")
    .where("state", "=", "held")
    .where("intent_id", "is not", null)
    .orderBy(sql`random()`)
    .limit(share)
    .execute();
  return rows.flatMap(({ intent_id }) => intent_id ?? []);
}

async function overdueHolds({ db, clock }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("bookings")
    .select("id")
    .where("state", "=", "held")
    .where("held_until", "<=", clock.now())
    .orderBy("held_until")
    .limit(share)
    .execute();
  return rows.map(({ id }) => id);
}

async function dueRefunds({ db }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("payments")
    .select("id")
    .where("state", "=", "refund_due")
    .orderBy("recorded_at")
    .limit(share)
    .execute();
  return rows.map(({ id }) => id);
}
