import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { firstLookMs, isAbsent, mayRepeat } from "../settlement-lifecycle/unanswered-calls.ts";

export type Reversal = {
  id: string;
  booking_id: string;
  transfer_id: string;
  cents: number;
  idempotency_key: string;
};

const day = 24 * 3_600_000;

/** SQL: what is left of a transfer. Of two to one seller the one with more is reversed. */
export const mostLeft = sql<number>`transfers.cents - transfers.reversed_cents`;

/**
 * Writes down that the provider is about to be asked for a reversal, up to so many cents: for the attempt that is open, or
 * for a new one. Returns it; undefined if nothing is to be asked now. The balance is looked at again a day later.
 */
export async function claimReversal(
  deps: Deps,
  bookingId: string,
  mostCents: number,
): Promise<Reversal | undefined> {
  const at = deps.clock.now();
  return await transact(deps.db, `claimReversal ${bookingId}`, async (tx) => {
    const transfer = await lockTransfer(tx, bookingId);
    if (!transfer) return undefined;
    const attempts = await tx
      .selectFrom("transfer_reversals")
      .selectAll()
      .where("booking_id", "=", bookingId)
      .execute();
    const open = attempts.find(({ state }) => state === "intended");
    const owed = (await readDeal(tx, { bookingId })).balance("seller_receivable");
    if (open && !isAbsent(open, at)) {
      await lookAgain(tx, bookingId, new Date(at.getTime() + firstLookMs));
      // Somebody may have taken some of it back in the provider's dashboard, and its key allows no other amount.
      const isOwed = owed >= open.cents;
      return isOwed && mayRepeat(open, at) ? await recordCall(tx, open, at) : undefined;
    }
    if (await isTooEarly(tx, bookingId, at)) return undefined;
    if (open) await refuseAbsent(tx, open.id);
    const cents = Math.min(owed, transfer.cents - transfer.reversed_cents, mostCents);
    await lookAgain(tx, bookingId, new Date(at.getTime() + (cents > 0 ? firstLookMs : day)));
    if (cents <= 0) return undefined;
    const reversal = { bookingId, transferId: transfer.id, attempt: attempts.length + 1, cents };
    return await insertReversal(tx, reversal, at);
  });
}

/** Locks the booking first (decision 0018). Undefined while a bank decides, and once all of it was taken back. */
async function lockTransfer(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("transfers", "transfers.booking_id", "bookings.id")
    .select(["transfers.id", "transfers.cents", "transfers.reversed_cents"])
    .where("bookings.id", "=", bookingId)
    .where("bookings.payout_held_at", "is", null)
    .where("transfers.state", "=", "made")
    .orderBy(mostLeft, "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

/** Another process has looked at the debt since it was listed, and may have made an attempt. Read under the booking's lock. */
async function isTooEarly(tx: Tx, bookingId: string, at: Date): Promise<boolean> {
  const { reversal_at } = await tx
    .selectFrom("settlements")
    .select("reversal_at")
    .where("booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  return reversal_at !== null && reversal_at > at;
}

async function lookAgain(tx: Tx, bookingId: string, reversal_at: Date): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ reversal_at })
    .where("booking_id", "=", bookingId)
    .execute();
}

async function recordCall(tx: Tx, open: Reversal, at: Date): Promise<Reversal> {
  await tx
    .updateTable("transfer_reversals")
    .set({ last_called_at: at })
    .where("id", "=", open.id)
    .execute();
  return open;
}

async function refuseAbsent(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("transfer_reversals")
    .set({ state: "refused", refusal: "absent" })
    .where("id", "=", id)
    .execute();
}

type NewReversal = { bookingId: string; transferId: string; attempt: number; cents: number };

async function insertReversal(
  tx: Tx,
  { bookingId, transferId, attempt, cents }: NewReversal,
  at: Date,
): Promise<Reversal> {
  const by = { at, actor: null, verb: "intend reversal", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { attempt, cents } });
  return await tx
    .insertInto("transfer_reversals")
    .values({
      ...{ id: newId(at), booking_id: bookingId, transfer_id: transferId, attempt, cents },
      ...{ intended_at: at, last_called_at: at },
      idempotency_key: `reversal:${bookingId}:${attempt}`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
