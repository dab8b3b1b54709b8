import { sql } from "kysely";
import type { BalanceTransaction } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { type Attempt, runParts } from "../../jobs/define-jobs.ts";
import { balanceJournals } from "../ledger/balance-journals.ts";
import { type Difference, findDifferences } from "../ledger/differences.ts";
import { postJournals } from "../ledger/post-journal.ts";
import { lookUpTransfers } from "./pay-out-deal.ts";
import { hasIntents, newestTime, settleIntent } from "./webhook-events.ts";

/** Overlap between two listings, because the provider may list an older transaction late. */
const overlapMs = 24 * 60 * 60_000;
/** Overlap between comparisons, because a journal with a lower id may be committed later. */
const overlapJournals = 1_000;

/**
 * Job `reconcileLedger`, daily: compares the ledger with the provider, rereads payments that differ
 * and posts missing entries. Admins see the remaining differences.
 */
export async function reconcileLedger(deps: Deps): Promise<void> {
  if (!(await hasIntents(deps))) return;
  await runParts("compared", (attempt) => compare(deps, attempt));
}

async function compare(deps: Deps, attempt: Attempt): Promise<void> {
  const { db, cards, clock, shop } = deps;
  const last = await db.selectFrom("ledger_reconciliation").selectAll().executeTakeFirst();
  // This is read before the provider's list, so that the list covers every compared journal.
  const comparedUntil = await newestJournal(db);
  const since = last?.listed_until && new Date(last.listed_until.getTime() - overlapMs);
  const transactions = await cards.listBalanceTransactions(since ?? undefined);
  const providerCents = await cards.readBalance(shop.currency);
  for (const transaction of transactions) await storeTransaction(deps, transaction);
  const references = await changedReferences(db, {
    transactions,
    from: Number(last?.compared_until ?? 0) - overlapJournals,
    to: comparedUntil,
  });
  await readAgain(deps, references, attempt);
  const at = clock.now();
  const listedUntil = newestTime(transactions, last?.listed_until);
  await transact(db, "reconcileLedger", async (tx) => {
    await replaceDifferences(tx, references, at);
    const state = {
      at,
      listed_until: listedUntil,
      compared_until: comparedUntil,
      provider_cents: providerCents,
      ledger_cents: await clearingCents(tx, shop.currency),
    };
    await tx
      .insertInto("ledger_reconciliation")
      .values(state)
      .onConflict((conflict) => conflict.column("only_row").doUpdateSet(state))
      .execute();
  });
}

async function readAgain(deps: Deps, references: string[], attempt: Attempt): Promise<void> {
  const differences = await findDifferences(deps.db, references);
  for (const bookingId of await listLateTransfers(deps.db, differences))
    await attempt(() => lookUpTransfers(deps, bookingId));
  for (const intentId of new Set(differences.flatMap(({ intentId }) => intentId ?? [])))
    await attempt(() => settleIntent(deps, intentId));
}

/** Lists deals with a transfer that seemed lost and may explain a difference. */
async function listLateTransfers(db: Tx, differences: readonly Difference[]): Promise<string[]> {
  const references = differences.map(({ reference }) => reference);
  const { rows } = await sql<{ booking_id: string }>`
    select distinct booking_id from balance_transactions join money_moves on cents = -amount_cents
    where reference = any(${references}::text[]) and type = 'transfer' and kind = 'transfer' and refusal = 'absent'`.execute(
    db,
  );
  return rows.map(({ booking_id }) => booking_id);
}

async function newestJournal(db: Tx): Promise<number> {
  const { newest } = await db
    .selectFrom("ledger_journals")
    .select(({ fn }) => fn.max("id").as("newest"))
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0);
}

async function storeTransaction({ db }: Deps, transaction: BalanceTransaction): Promise<void> {
  const { id, type, reference, currency, createdAt } = transaction;
  await transact(db, "storeTransaction", async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("balance_transactions")
      .values({
        id,
        type,
        reference,
        intent_id: transaction.intentId ?? null,
        amount_cents: transaction.amountCents,
        fee_cents: transaction.feeCents,
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return;
    const bookingId = await bookingOf(tx, transaction.intentId);
    const subject = { bookingId, currency, at: createdAt };
    await postJournals(tx, subject, balanceJournals(transaction));
  });
}

/** The provider may list a payment before the shop has recorded it. */
async function bookingOf(tx: Tx, intentId: string | undefined): Promise<string | null> {
  if (intentId === undefined) return null;
  const payments = tx
    .selectFrom("payments")
    .select("booking_id")
    .where("transaction_id", "=", intentId);
  const booking = await tx
    .selectFrom("bookings")
    .select("id as booking_id")
    .where("intent_id", "=", intentId)
    .union(payments)
    .executeTakeFirst();
  return booking?.booking_id ?? null;
}

type Changes = { transactions: BalanceTransaction[]; from: number; to: number };

/** Lists references that changed since the last comparison, or that differed in it. */
async function changedReferences(db: Tx, { transactions, from, to }: Changes): Promise<string[]> {
  const posted = await db
    .selectFrom("ledger_journals")
    .select("reference")
    .distinct()
    .where("id", ">", String(from))
    .where("id", "<=", String(to))
    .where("reference", "is not", null)
    .execute();
  const differing = await db.selectFrom("ledger_differences").select("reference").execute();
  return [
    ...new Set([
      ...transactions.map(({ reference }) => reference),
      ...[...posted, ...differing].flatMap(({ reference }) => reference ?? []),
    ]),
  ];
}

async function replaceDifferences(tx: Tx, references: string[], at: Date): Promise<void> {
  const differences = await findDifferences(tx, references);
  // The differences are passed as arrays: a statement can have at most 65,535 parameters.
  const found = differences.map(({ reference }) => reference);
  await sql`delete from ledger_differences where reference <> all(${found}::text[])`.execute(tx);
  await sql`
    insert into ledger_differences (reference, provider_cents, ledger_cents, found_at)
    select reference, provider_cents, ledger_cents, ${at}::timestamptz
    from unnest(
      ${found}::text[],
      ${differences.map(({ providerCents }) => providerCents)}::bigint[],
      ${differences.map(({ ledgerCents }) => ledgerCents)}::bigint[]
    ) as difference (reference, provider_cents, ledger_cents)
    on conflict (reference) do update
    set provider_cents = excluded.provider_cents, ledger_cents = excluded.ledger_cents`.execute(tx);
}

/** The shop's balance at the provider, according to the ledger. */
async function clearingCents(tx: Tx, currency: string): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(cents), 0) as cents from ledger_entries join ledger_journals on id = journal_id
    where account = 'stripe_clearing' and currency = ${currency}`.execute(tx);
  return Number(rows[0]?.cents);
}
