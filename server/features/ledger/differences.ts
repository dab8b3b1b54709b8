import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

export type Difference = {
  reference: string;
  providerCents: number;
  ledgerCents: number;
  /** The intent of the payment that the reference belongs to, if known. */
  intentId: string | null;
};

/** References whose amounts after fees differ between the provider and the ledger. */
export async function findDifferences(tx: Tx, references: string[]): Promise<Difference[]> {
  const { rows } = await sql<{
    reference: string;
    provider_cents: string;
    ledger_cents: string;
    intent_id: string | null;
  }>`
    select reference, provider_cents, ledger_cents, coalesce(transaction_intent, booking_intent) as intent_id
    from unnest(${references}::text[]) as reference,
    lateral (
      select coalesce(sum(amount_cents - fee_cents), 0) as provider_cents, max(intent_id) as transaction_intent
      from balance_transactions where balance_transactions.reference = reference.reference
    ) as at_provider,
    lateral (
      select coalesce(sum(cents), 0) as ledger_cents,
        max(intent_id) as booking_intent
      from ledger_journals
      join ledger_entries on journal_id = ledger_journals.id and account = 'stripe_clearing'
      left join bookings on bookings.id = booking_id
      where ledger_journals.reference = reference.reference
    ) as in_ledger
    where provider_cents <> ledger_cents`.execute(tx);
  return rows.map((row) => ({
    reference: row.reference,
    providerCents: Number(row.provider_cents),
    ledgerCents: Number(row.ledger_cents),
    intentId: row.intent_id,
  }));
}
