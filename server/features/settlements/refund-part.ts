import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { applySettlement } from "../booking-lifecycle/settlement.ts";
import { postRefund } from "../ledger/post-payment.ts";
import { insertPartialRefund } from "./decide.ts";
import { postRelease } from "./post-release.ts";

const minute = 60_000;
/** A call that the provider has not answered can't arrive there later than this. */
const latestArrivalMs = 10 * minute;
/** After a refusal the next attempt waits so long. */
const retryMs = 60 * minute;

/**
 * Job `refundPart`: refunds a part of a payment, once. If an answer was lost, the refunds of the payment are looked up
 * by their metadata; one that never arrived is asked for again, by another attempt once the first can't arrive any more.
 */
export async function refundPart(deps: Deps, refundId: string): Promise<void> {
  const refund = await findIntended(deps.db, refundId);
  if (!refund?.intent_id) return;
  const intent = await deps.cards.findIntent(refund.intent_id);
  const found = intent.refunds.find(({ metadata }) => metadata.refundId === refundId);
  if (found) return await recordMade(deps, refundId, found.id);
  const age = deps.clock.now().getTime() - refund.intended_at.getTime();
  if (age >= latestArrivalMs) return await recordRefused(deps, refundId, "absent");
  const answer = await deps.cards
    .refundPart({
      ...{ intentId: intent.id, amountCents: refund.cents, metadata: { refundId } },
      idempotencyKey: refund.idempotency_key,
    })
    .catch(unlessUnavailable);
  if (answer === undefined) return;
  if ("refundId" in answer) await recordMade(deps, refundId, answer.refundId);
  else if (answer.refused !== "idempotency_key_in_use")
    await recordRefused(deps, refundId, answer.refused);
}

/** Of an answer that was lost nothing is known: the money may be on its way. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === "PROVIDER_UNAVAILABLE") return undefined;
  throw error;
}

async function findIntended(tx: Tx, id: string) {
  return await tx
    .selectFrom("partial_refunds")
    .innerJoin("bookings", "bookings.id", "partial_refunds.booking_id")
    .selectAll("partial_refunds")
    .select("bookings.intent_id")
    .where("partial_refunds.id", "=", id)
    .where("partial_refunds.state", "=", "intended")
    .executeTakeFirst();
}

/** The part is refunded, and the rest is the seller's. */
async function recordMade(deps: Deps, id: string, providerId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `refundPart ${id}`, async (tx) => {
    const refund = await lockIntended(tx, id);
    if (!refund) return;
    const { booking_id: bookingId, cents } = refund;
    await tx
      .updateTable("partial_refunds")
      .set({ state: "made", provider_id: providerId, next_look_at: null })
      .where("id", "=", id)
      .execute();
    const deal = { bookingId, currency: deps.config.currency, at };
    await postRefund(tx, deal, { id: providerId, amountCents: cents });
    const detail = { cents, refundId: providerId };
    const move = { bookingId, at, actor: null };
    await applySettlement(tx, { ...move, transition: "completePartialRefund", detail });
    await applySettlement(tx, { ...move, transition: "releaseRest" });
    await postRelease(tx, deps, { bookingId, id: "rest" });
  });
}

/** Another attempt, with another key, follows. */
async function recordRefused(deps: Deps, id: string, refusal: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `refuseRefundPart ${id}`, async (tx) => {
    const refund = await lockIntended(tx, id);
    if (!refund) return;
    const { booking_id: bookingId, attempt } = refund;
    const again = new Date(at.getTime() + (refusal === "absent" ? 0 : retryMs));
    await tx
      .updateTable("partial_refunds")
      .set({ state: "refused", refusal, next_look_at: again })
      .where("id", "=", id)
      .execute();
    const by = { at, actor: null, verb: "refuse refund", object: "booking" } as const;
    await recordAudit(tx, { ...by, objectId: bookingId, detail: { attempt, reason: refusal } });
  });
}

/** Locks the booking first (decision 0018). */
async function lockIntended(tx: Tx, id: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("partial_refunds", "partial_refunds.booking_id", "bookings.id")
    .selectAll("partial_refunds")
    .where("partial_refunds.id", "=", id)
    .where("partial_refunds.state", "=", "intended")
    .forUpdate()
    .executeTakeFirst();
}

/** Refunds of a part whose outcome is not known, or that have to be tried again. */
export async function listPartialRefunds({ db, clock }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("partial_refunds")
    .select("id")
    .where("next_look_at", "<=", clock.now())
    .orderBy("next_look_at")
    .limit(200)
    .execute();
  return rows.map(({ id }) => id);
}

/** Looks up an intended refund of a part, or replaces a refused one by another attempt. */
export async function continuePartialRefund(deps: Deps, id: string): Promise<void> {
  const at = deps.clock.now();
  const next = await transact(deps.db, `continuePartialRefund ${id}`, async (tx) => {
    const refused = await tx
      .updateTable("partial_refunds")
      .set({ next_look_at: null })
      .where("id", "=", id)
      .where("state", "=", "refused")
      .where("next_look_at", "is not", null)
      .returning(["booking_id", "cents", "attempt"])
      .executeTakeFirst();
    if (!refused) return id;
    const { booking_id: bookingId, cents, attempt } = refused;
    return await insertPartialRefund(tx, { bookingId, cents, at, attempt: attempt + 1 });
  });
  await refundPart(deps, next);
}
