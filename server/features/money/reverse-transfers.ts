import { sql } from "kysely";
import { type Transfer, transferGroupOf } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { changeDeal, readDeal } from "../ledger/post-journal.ts";
import {
  absent,
  askProvider,
  changeMove,
  insertMove,
  isAbsent,
  keyOf,
  listUnconfirmedMoves,
  type Move,
  repeatCall,
} from "./money-moves.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** The time after the payment in which the shop reverses transfers to collect a debt. */
const recoverableMs = 180 * day;

/** Returns the seller's debt in cents, for sales paid in the last 180 days. */
export async function readDebt(tx: Tx, { clock }: Deps, sellerId: string): Promise<number> {
  const { rows } = await sql<{ owed: number }>`
    select coalesce(sum(cents), 0)::int as owed
    from settlements s
    join ledger_journals j on j.booking_id = s.booking_id
    join ledger_entries on journal_id = j.id
    where s.seller_id = ${sellerId} and account = 'seller_receivable'
      and s.paid_at > ${new Date(clock.now().getTime() - recoverableMs)}`.execute(tx);
  return rows[0]?.owed ?? 0;
}

/**
 * Lists deals with a debt to collect now, or with a reversal whose outcome is unknown. Skips
 * disputed deals.
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
      and exists (
        select from money_moves m
        where m.booking_id = s.booking_id and m.kind = 'transfer' and m.state = 'made' and reversed_cents < m.cents)
    order by s.reversal_at nulls first
    limit 50)
    union
    (select r.booking_id
    from money_moves r join settlements s using (booking_id) join bookings on bookings.id = r.booking_id
    where r.kind = 'reversal' and r.state = 'intended' and bookings.payout_held_at is null
      and (s.reversal_at is null or s.reversal_at <= ${now})
    order by s.reversal_at nulls first
    limit 50)`.execute(db);
  return rows.map(({ booking_id }) => booking_id);
}

/** Collects as much of a deal's debt as the seller's balance allows. */
export async function recoverDebt(deps: Deps, bookingId: string): Promise<void> {
  const transfer = await selectTransfer(deps.db, bookingId).executeTakeFirst();
  if (!transfer) return;
  // Records the outcome of earlier attempts, whose ids are in the reversals' metadata.
  await recordReversals(deps, bookingId);
  const { currency } = deps.shop;
  const balance = await deps.cards.readSellerBalance(transfer.account_id ?? "", currency);
  const maxCents = Math.max(balance.availableCents, balance.pendingCents);
  const reversal = await claimReversal(deps, bookingId, maxCents);
  if (reversal) await callProvider(deps, reversal);
}

function selectTransfer(tx: Tx, bookingId: string) {
  return tx
    .selectFrom("money_moves")
    .selectAll()
    .where("booking_id", "=", bookingId)
    .where("kind", "=", "transfer")
    .where("state", "=", "made")
    .orderBy(sql`cents - reversed_cents`, "desc")
    .limit(1);
}

/** Returns undefined if nothing can be requested now. An empty balance is read again in a day. */
async function claimReversal(
  deps: Deps,
  bookingId: string,
  maxCents: number,
): Promise<(Move & { transfer_id: string }) | undefined> {
  const at = deps.clock.now();
  return await transact(deps.db, `claimReversal ${bookingId}`, async (tx) => {
    const deal = await lockDeal(tx, bookingId);
    const transfer = await selectTransfer(tx, bookingId).executeTakeFirst();
    if (!deal || !transfer) return undefined;
    const owed = (await readDeal(tx, { bookingId })).balance("seller_receivable");
    const open = await findOpenReversal(tx, bookingId);
    if (open && !isAbsent(open, at)) {
      await lookAgain(tx, bookingId, new Date(at.getTime() + minute));
      // An admin may have reversed a part, but the same idempotency key requires the same amount.
      if (owed < open.cents) return undefined;
      const repeated = await repeatCall(tx, open, at);
      return repeated && { ...repeated, transfer_id: open.transfer_id ?? "" };
    }
    // Another process has tried to collect the debt since it was listed.
    if (deal.reversal_at !== null && deal.reversal_at > at) return undefined;
    if (open) await changeMove(tx, open.id, { state: "refused", refusal: absent, at });
    const cents = Math.min(owed, transfer.cents - transfer.reversed_cents, maxCents);
    await lookAgain(tx, bookingId, new Date(at.getTime() + (cents > 0 ? minute : day)));
    if (cents <= 0) return undefined;
    const transferId = transfer.id;
    const move = await insertMove(tx, { bookingId, kind: "reversal", cents, at, transferId });
    const by = { at, actor: null, verb: "intend reversal", object: "booking" } as const;
    const detail = { attempt: move.attempt, cents };
    await recordAudit(tx, { ...by, objectId: bookingId, detail });
    return { ...move, transfer_id: transferId };
  });
}

/** Locks a deal. Undefined while a dispute or a bank's inquiry is open. */
async function lockDeal(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("bookings")
    .innerJoin("settlements", "settlements.booking_id", "bookings.id")
    .select("settlements.reversal_at")
    .where("bookings.id", "=", bookingId)
    .where("bookings.payout_held_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

/** Finds a reversal whose outcome is not known yet. */
export async function findOpenReversal(tx: Tx, bookingId: string): Promise<Move | undefined> {
  const open = await listUnconfirmedMoves(tx, { bookingId, kind: "reversal" });
  return open.find(({ state }) => state === "intended");
}

async function lookAgain(tx: Tx, bookingId: string, reversal_at: Date): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ reversal_at })
    .where("booking_id", "=", bookingId)
    .execute();
}

async function callProvider(deps: Deps, reversal: Move & { transfer_id: string }): Promise<void> {
  const { id, booking_id: bookingId, cents: amountCents, transfer_id } = reversal;
  const { provider_id } = await deps.db
    .selectFrom("money_moves")
    .select("provider_id")
    .where("id", "=", transfer_id)
    .executeTakeFirstOrThrow();
  const order = { transferId: provider_id ?? "", amountCents, metadata: { moveId: id } };
  const answer = await askProvider(
    deps.cards.reverseTransfer({ ...order, idempotencyKey: keyOf(reversal) }),
  );
  if (answer === undefined) return;
  if (!("refused" in answer)) return await recordReversals(deps, bookingId);
  const at = deps.clock.now();
  await transact(deps.db, `refuseReversal ${id}`, async (tx) => {
    await lockDeal(tx, bookingId);
    if ((await findOpenReversal(tx, bookingId))?.id !== id) return;
    await changeMove(tx, id, { state: "refused", refusal: answer.refused, at });
    await lookAgain(tx, bookingId, new Date(at.getTime() + day));
    const by = { at, actor: null, verb: "refuse reversal", object: "booking" } as const;
    const detail = { cents: amountCents, reason: answer.refused };
    await recordAudit(tx, { ...by, objectId: bookingId, detail });
  });
}

/**
 * Posts a deal's reversals from the provider. In the same transaction, marks their attempts as
 * `made`, so that no debt is collected twice.
 */
export async function recordReversals(deps: Deps, bookingId: string): Promise<void> {
  for (const transfer of await deps.cards.findTransfers(transferGroupOf(bookingId)))
    if (transfer.reversals.length > 0) await recordReversalsOf(deps, bookingId, transfer);
}

async function recordReversalsOf(deps: Deps, bookingId: string, made: Transfer): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordReversals ${made.id}`, async (tx) => {
    const transfer = await tx
      .selectFrom("bookings")
      .innerJoin("money_moves", "money_moves.booking_id", "bookings.id")
      .select(["money_moves.id", "money_moves.cents", "money_moves.reversed_cents"])
      .where("money_moves.provider_id", "=", made.id)
      .where("bookings.id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!transfer) return;
    await changeDeal(tx, { bookingId, currency: deps.shop.currency, at }, (journals) => {
      // The provider lists the newest reversal first.
      for (const { id, amountCents } of made.reversals.toReversed())
        journals.reverseTransfer({ id, cents: amountCents });
    });
    // Another process may have recorded a newer response from the provider.
    const reversedCents = Math.max(made.reversedCents, transfer.reversed_cents);
    await tx
      .updateTable("money_moves")
      .set({ reversed_cents: reversedCents })
      .where("id", "=", transfer.id)
      .execute();
    const isTakenBack = reversedCents >= transfer.cents;
    for (const move of await listUnconfirmedMoves(tx, { bookingId, kind: "reversal" })) {
      const own = made.reversals.find(({ metadata }) => metadata.moveId === move.id);
      if (own) await changeMove(tx, move.id, { state: "made", providerId: own.id, at });
      // The whole transfer was already taken back, so the provider would reject this attempt.
      else if (isTakenBack && move.state === "intended" && move.transfer_id === transfer.id)
        await changeMove(tx, move.id, { state: "refused", refusal: absent, at });
    }
  });
}
