import { sql } from "kysely";
import { type Journal, type Ledger, ledgerAccounts } from "#contract/ledger.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Entries } from "./deal-journals.ts";

export async function readBalances(tx: Tx): Promise<Ledger["balances"]> {
  const rows = await tx
    .selectFrom("ledger_entries")
    .select(["account", ({ fn }) => fn.sum<string>("cents").as("cents")])
    .groupBy("account")
    .execute();
  const cents = new Map(rows.map((row) => [row.account, Number(row.cents)]));
  return ledgerAccounts.map((account) => ({
    account,
    balance: toDollars(cents.get(account) ?? 0),
  }));
}

export async function readReconciliation(tx: Tx): Promise<Ledger["reconciliation"]> {
  const state = await tx.selectFrom("ledger_reconciliation").selectAll().executeTakeFirst();
  if (!state) return null;
  const differences = await tx
    .selectFrom("ledger_differences")
    .selectAll()
    .orderBy(sql`abs(provider_cents - ledger_cents)`, "desc")
    .orderBy("reference")
    .limit(200)
    .execute();
  return {
    at: state.at.toISOString(),
    atProvider: toDollars(Number(state.provider_cents)),
    inLedger: toDollars(Number(state.ledger_cents)),
    differences: differences.map(({ reference, provider_cents, ledger_cents, found_at }) => ({
      reference,
      atProvider: toDollars(Number(provider_cents)),
      inLedger: toDollars(Number(ledger_cents)),
      foundAt: found_at.toISOString(),
    })),
  };
}

/** Finds the journals with this reference, and all others from the same deal, oldest first. */
export async function findJournals(tx: Tx, reference: string): Promise<Journal[]> {
  const { rows } = await sql<{
    id: string;
    kind: Journal["kind"];
    at: Date;
    reference: string | null;
    booking_id: string | null;
    entries: Entries;
  }>`
    with named as (select id, booking_id from ledger_journals where reference = ${reference})
    select id, kind, at, reference, booking_id, jsonb_object_agg(account, cents) as entries
    from ledger_journals join ledger_entries on journal_id = id
    where id in (
      select id from named
      union select id from ledger_journals where booking_id in (select booking_id from named)
    )
    group by id order by at, id`.execute(tx);
  return rows.map(({ id, kind, at, booking_id, entries, ...row }) => ({
    _id: id,
    kind,
    at: at.toISOString(),
    reference: row.reference,
    bookingId: booking_id,
    entries: ledgerAccounts.flatMap((account) => {
      const cents = entries[account];
      return cents === undefined ? [] : [{ account, amount: toDollars(cents) }];
    }),
  }));
}
