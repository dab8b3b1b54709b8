import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { recoverableMs } from "../booking-lifecycle/seller-debt.ts";
import { claimReversal, mostLeft, type Reversal } from "./claim-reversal.ts";
import { recordReversals } from "./record-reversals.ts";

const day = 24 * 3_600_000;

/**
 * Deals for which a seller owes although they were paid, and whose transfer may be reversed now; and those with an
 * attempt whose outcome is not known, also if nothing is owed any more. None while a bank decides.
 */
export async function listDebts({ db, clock }: Deps): Promise<string[]> {
  const now = clock.now();
  const { rows } = await sql<{ booking_id: string }>`
    (select s.booking_id
    from (
      select booking_id from ledger_journals join ledger_entries on journal_id = id
      where account = 'seller_receivable' group by booking_id having sum(cents) > 0
    ) as debt
    join settlements s using (booking_id)
    join bookings on bookings.id = s.booking_id
    where bookings.payout_held_at is null
      and s.paid_at > ${new Date(now.getTime() - recoverableMs)}
      and (s.reversal_at is null or s.reversal_at <= ${now})
      and exists (select from transfers t where t.booking_id = s.booking_id and t.state = 'made')
    order by s.reversal_at nulls first
    limit 50)
    union
    select r.booking_id
    from transfer_reversals r join settlements s using (booking_id) join bookings on bookings.id = r.booking_id
    where r.state = 'intended' and bookings.payout_held_at is null
      and (s.reversal_at is null or s.reversal_at <= ${now})
    limit 50`.execute(db);
  return rows.map(({ booking_id }) => booking_id);
}

/**
 * Takes back from a seller's balance at the provider what they owe for a deal, as far as the balance goes; the rest is
 * kept from later sales. The buyer has their money already, and nothing of this holds it up (decision 0088).
 */
export async function recoverDebt(deps: Deps, bookingId: string): Promise<void> {
  const transfer = await deps.db
    .selectFrom("transfers")
    .select(["account_id", "currency"])
    .where("booking_id", "=", bookingId)
    .where("state", "in", ["made", "reversed"])
    .orderBy(mostLeft, "desc")
    .executeTakeFirst();
  if (!transfer) return;
  // What became of earlier attempts; their ids are in the reversals' metadata.
  await recordReversals(deps, bookingId);
  const balance = await deps.cards.readSellerBalance(transfer.account_id, transfer.currency);
  const mostCents = Math.max(balance.availableCents, balance.pendingCents);
  const reversal = await claimReversal(deps, bookingId, mostCents);
  if (reversal) await callProvider(deps, reversal);
}

async function callProvider(deps: Deps, reversal: Reversal): Promise<void> {
  const { id, booking_id: bookingId, cents: amountCents, idempotency_key } = reversal;
  const transferId = await providerIdOf(deps.db, reversal.transfer_id);
  const answer = await deps.cards
    .reverseTransfer({
      ...{ transferId, amountCents, metadata: { reversalId: id } },
      idempotencyKey: idempotency_key,
    })
    .catch(unlessUnavailable);
  if (answer === undefined) return;
  if ("reversalId" in answer) return await recordReversals(deps, bookingId);
  if (answer.refused === "idempotency_key_in_use") return;
  const at = deps.clock.now();
  await transact(deps.db, `refuseReversal ${id}`, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("transfer_reversals")
      .set({ state: "refused", refusal: answer.refused })
      .where("id", "=", id)
      .where("state", "=", "intended")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await tx
      .updateTable("settlements")
      .set({ reversal_at: new Date(at.getTime() + day) })
      .where("booking_id", "=", bookingId)
      .execute();
    const by = { at, actor: null, verb: "refuse reversal", object: "booking" } as const;
    const detail = { cents: amountCents, reason: answer.refused };
    await recordAudit(tx, { ...by, objectId: bookingId, detail });
  });
}

async function providerIdOf(tx: Tx, transferId: string): Promise<string> {
  const { provider_id } = await tx
    .selectFrom("transfers")
    .select("provider_id")
    .where("id", "=", transferId)
    .executeTakeFirstOrThrow();
  return provider_id ?? "";
}

/** Of an answer that was lost nothing is known: the money may have been taken back. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === "PROVIDER_UNAVAILABLE") return undefined;
  throw error;
}
