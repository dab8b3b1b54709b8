import { type RawBuilder, sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { retryRefund } from "../booking-lifecycle/failed-refunds.ts";
import { lostCentsOf, readLostCents } from "../booking-lifecycle/refunded-and-disputed.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { reopenGivenUp } from "../settlement-lifecycle/claim-partial-refund.ts";
import { postRelease } from "../settlement-lifecycle/release-journal.ts";
import { latestPayment } from "./deadlines.ts";

/** Refunds of whole payments that admins have not seen to by the deadline, and that have not been tried again since. */
export async function listLastRefunds(deps: Deps): Promise<string[]> {
  const rows = await deps.db
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .select("payments.booking_id")
    .where("payments.state", "=", "refund_failed")
    .where("payments.recorded_at", "<=", latestPayment(deps))
    .where("payments.sent_cents", "=", 0)
    .where("bookings.payout_held_at", "is", null)
    .where(({ ref }) => sql<boolean>`${lostCentsOf(ref("payments.id"))} = 0`)
    .where(
      isNotTried(deps, {
        id: sql.ref("payments.id"),
        verb: "retryRefund",
        paidAt: sql.ref("payments.recorded_at"),
      }),
    )
    .orderBy("payments.recorded_at")
    .limit(100)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

type Tried = { id: RawBuilder<unknown>; verb: string; paidAt: RawBuilder<unknown> };

/** SQL: the audit log has no attempt from after the deadline. */
function isNotTried({ config }: Deps, { id, verb, paidAt }: Tried): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from audit_log
    where object_id = ${id} and verb = ${verb}
      and at >= ${paidAt} + ${config.settlement.latestMs} * interval '1 millisecond')`;
}

/** The card may work by now. If it doesn't, the refund is handed to the admins again, who are told. */
export async function retryLastRefund(deps: Deps, bookingId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `retryLastRefund ${bookingId}`, async (tx) => {
    await lockBooking(tx, bookingId);
    await retryRefund(tx, { bookingId, at, actor: null });
  });
}

async function lockBooking(tx: Tx, bookingId: string): Promise<void> {
  await tx.selectFrom("bookings").select("id").where("id", "=", bookingId).forUpdate().execute();
}

/** Refunds of a part that were given up, and whose rest still waits for them or that have not been tried again since the deadline. */
export async function listLastParts(deps: Deps): Promise<string[]> {
  const rows = await oldParts(deps, deps.db).limit(100).execute();
  return [...new Set(rows.map(({ booking_id }) => booking_id))];
}

function oldParts(deps: Deps, tx: Tx) {
  const [id, paidAt] = [sql.ref("settlements.booking_id"), sql.ref("settlements.paid_at")];
  const isNew = isNotTried(deps, { id, verb: retryVerb, paidAt });
  return tx
    .selectFrom("partial_refunds")
    .innerJoin("settlements", "settlements.booking_id", "partial_refunds.booking_id")
    .innerJoin("bookings", "bookings.id", "partial_refunds.booking_id")
    .innerJoin("payments", "payments.booking_id", "partial_refunds.booking_id")
    .select(["partial_refunds.booking_id", isNew.as("is_new")])
    .where("partial_refunds.given_up_at", "is not", null)
    .where("settlements.paid_at", "<=", latestPayment(deps))
    .where("bookings.payout_held_at", "is", null)
    .where("payments.state", "=", "succeeded")
    .where(({ or, and, ref }) =>
      or([
        sql<boolean>`settlements.state = 'refunding'`,
        and([isNew, sql<boolean>`${lostCentsOf(ref("payments.id"))} = 0`]),
      ]),
    );
}

const retryVerb = "retry partial refund";

/**
 * Tries the part once more. If that fails too, the rest goes to the seller, who has waited for it, and the part is left to
 * the admins, who are told.
 */
export async function retryLastPart(deps: Deps, bookingId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `retryLastPart ${bookingId}`, async (tx) => {
    await lockBooking(tx, bookingId);
    const part = await oldParts(deps, tx)
      .where("partial_refunds.booking_id", "=", bookingId)
      .executeTakeFirst();
    if (!part) return;
    if (!part.is_new || (await readLostCents(tx, bookingId)) > 0)
      return await releaseWithoutPart(tx, deps, bookingId);
    const reopened = await reopenGivenUp(tx, bookingId, at);
    if (!reopened) return;
    await enqueue(tx, "refundPart", { payload: { refundId: reopened.id } });
    const by = { at, actor: null, verb: retryVerb, object: "booking" } as const;
    await recordAudit(tx, { ...by, objectId: bookingId });
  });
}

async function releaseWithoutPart(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const move = { bookingId, at: deps.clock.now(), actor: null };
  if (await applySettlement(tx, { ...move, transition: "releaseWithoutPart" }))
    await postRelease(tx, deps, { bookingId, id: "rest" });
}
