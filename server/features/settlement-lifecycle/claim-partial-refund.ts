import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { giveUpPartialRefund } from "../booking-lifecycle/failed-partial-refunds.ts";
import { partlyDisputed } from "../booking-lifecycle/failed-refunds.ts";
import { nextPartialRefund } from "../booking-lifecycle/next-partial-refund.ts";
import { readLostCents } from "../booking-lifecycle/refunded-and-disputed.ts";
import { applySettlement } from "../booking-lifecycle/settlement-transition.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { decideRefund } from "../ledger/post-payment.ts";
import { postRelease } from "./release-journal.ts";
import { firstLookMs, isAbsent, mayRepeat } from "./unanswered-calls.ts";

export type PartialRefund = NonNullable<Awaited<ReturnType<typeof lockRefund>>>;

/**
 * Writes down that the provider is about to be asked for a refund of a part: for an attempt that is still open, or for a
 * new one after a refusal or failure. Returns it; undefined if nothing is to be asked now. The caller has just recorded
 * what the provider knows of all attempts; if it knew one, nothing is asked (`mayCall`).
 */
export async function claimPartialRefund(
  deps: Deps,
  refundId: string,
  { mayCall }: { mayCall: boolean },
): Promise<PartialRefund | undefined> {
  return await transact(deps.db, `claimPartialRefund ${refundId}`, async (tx) => {
    const refund = await lockRefund(tx, refundId);
    if (!refund) return undefined;
    const at = deps.clock.now();
    const isOpen = refund.state === "intended";
    const { booking_id: bookingId } = refund;
    const isWhole = await goesBackWhole(tx, bookingId);
    const owedCents = isWhole ? 0 : (await readDeal(tx, { bookingId })).owed();
    if (isOpen && !isAbsent(refund, at)) {
      // The call may still arrive, so another amount has to wait; its key allows no other either.
      const isSame = owedCents === refund.cents;
      return mayCall && isSame && mayRepeat(refund, at)
        ? await recordCall(tx, refund, at)
        : undefined;
    }
    if (isOpen) await refuseAbsent(tx, refund, at);
    if (!mayCall || (!isOpen && !isDue(refund, at))) return undefined;
    // Of another part, which is for all that is owed.
    if (!isOpen && (await isUnderWay(tx, refund.booking_id))) return undefined;
    return await replace(tx, deps, { refund, owedCents });
  });
}

/** Locks the booking first (decision 0018). Undefined if it is settled, or waits for its time. */
async function lockRefund(tx: Tx, id: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("partial_refunds", "partial_refunds.booking_id", "bookings.id")
    .selectAll("partial_refunds")
    .where("partial_refunds.id", "=", id)
    .where("partial_refunds.next_look_at", "is not", null)
    .where("bookings.payout_held_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

async function recordCall(tx: Tx, refund: PartialRefund, at: Date): Promise<PartialRefund> {
  await tx
    .updateTable("partial_refunds")
    .set({ last_called_at: at, next_look_at: new Date(at.getTime() + firstLookMs) })
    .where("id", "=", refund.id)
    .execute();
  return refund;
}

/** It is looked at again at once, unless another attempt replaces it now. */
async function refuseAbsent(tx: Tx, { id, ...refund }: PartialRefund, at: Date): Promise<void> {
  await tx
    .updateTable("partial_refunds")
    .set({ state: "refused", refusal: "absent", next_look_at: at })
    .where("id", "=", id)
    .execute();
  const detail = { attempt: refund.attempt, reason: "absent" };
  const by = { at, actor: null, verb: "refuse refund", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: refund.booking_id, detail });
}

async function isUnderWay(tx: Tx, bookingId: string): Promise<boolean> {
  const open = await tx
    .selectFrom("partial_refunds")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("state", "=", "intended")
    .executeTakeFirst();
  return open !== undefined;
}

function isDue({ next_look_at }: PartialRefund, at: Date): boolean {
  return next_look_at !== null && next_look_at <= at;
}

/**
 * By another attempt over what is owed by now: the buyer may have got some of it in the provider's dashboard. Of what a
 * bank has given back nothing more goes to the card.
 */
async function replace(
  tx: Tx,
  deps: Deps,
  { refund, owedCents: cents }: { refund: PartialRefund; owedCents: number },
): Promise<PartialRefund | undefined> {
  const { id, booking_id: bookingId, part } = refund;
  const ended = tx.updateTable("partial_refunds").set({ next_look_at: null }).where("id", "=", id);
  await ended.execute();
  if (cents === 0) return void (await releaseRest(tx, deps, { bookingId, detail: {} }));
  const failed = { bookingId, refundId: id, reason: partlyDisputed };
  if ((await readLostCents(tx, bookingId)) > 0)
    return void (await giveUpPartialRefund(tx, deps, failed));
  const at = deps.clock.now();
  return await insertPartialRefund(tx, { bookingId, cents, at, part });
}

/** Once the buyer has their part, the rest is the seller's. Does nothing if that was done before, or all of it goes back. */
export async function releaseRest(
  tx: Tx,
  deps: Deps,
  { bookingId, detail }: { bookingId: string; detail: Record<string, string | number> },
): Promise<void> {
  const move = { bookingId, at: deps.clock.now(), actor: null };
  if (await goesBackWhole(tx, bookingId)) return;
  const isDone = await applySettlement(tx, {
    ...{ ...move, transition: "completePartialRefund", detail },
  });
  if (!isDone) return;
  await applySettlement(tx, { ...move, transition: "releaseRest" });
  await postRelease(tx, deps, { bookingId, id: "rest" });
}

async function goesBackWhole(tx: Tx, bookingId: string): Promise<boolean> {
  const paid = await tx
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("state", "=", "succeeded")
    .executeTakeFirst();
  return paid === undefined;
}

type ToCard = { bookingId: string; cents: number; at: Date; currency: string };

/**
 * Refunds so many cents more to the buyer's card: by a new attempt of a part that was given up, over all that they are
 * owed then, or by another part.
 */
export async function refundToCard(
  tx: Tx,
  { bookingId, cents, at, currency }: ToCard,
): Promise<void> {
  await decideRefund(tx, { bookingId, currency, at }, cents);
  const refund =
    (await reopenGivenUp(tx, bookingId, at)) ??
    (await insertPartialRefund(tx, { bookingId, cents, at }));
  await enqueue(tx, "refundPart", { payload: { refundId: refund.id } });
}

/** The latest part that was given up is tried again. Undefined if there is none. */
export async function reopenGivenUp(tx: Tx, bookingId: string, at: Date) {
  return await tx
    .updateTable("partial_refunds")
    .set({ given_up_at: null, next_look_at: at })
    .where(({ eb, selectFrom }) =>
      eb(
        "id",
        "=",
        selectFrom("partial_refunds")
          .select("id")
          .where("booking_id", "=", bookingId)
          .where("given_up_at", "is not", null)
          .orderBy("attempt", "desc")
          .limit(1),
      ),
    )
    .returning("id")
    .executeTakeFirst();
}

/** Writes down a refund of a part, before the provider is asked for it. Without `part` it is of the next one. */
export async function insertPartialRefund(
  tx: Tx,
  { bookingId, cents, at, part }: { bookingId: string; cents: number; at: Date; part?: number },
): Promise<PartialRefund> {
  const next = await nextPartialRefund(tx, bookingId);
  return await tx
    .insertInto("partial_refunds")
    .values({
      ...{ id: newId(at), booking_id: bookingId, cents, intended_at: at },
      ...{ attempt: next.attempt, part: part ?? next.part },
      idempotency_key: `refund:${bookingId}:${next.attempt}`,
      last_called_at: at,
      next_look_at: new Date(at.getTime() + firstLookMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
