import { sql } from "kysely";
import type { z } from "zod";
import type { correctDifference as call } from "#contract/ledger.ts";
import { toCents } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { postJournals } from "./post-journal.ts";

export type Difference = {
  reference: string;
  providerCents: number;
  ledgerCents: number;
  intentId: string | null;
};

/** Finds references whose amounts after fees differ between provider and ledger. */
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

/** Posts an admin's correction. Throws `STALE` if the difference has changed. */
export async function correctDifference(
  { db, clock, shop: { currency } }: Deps,
  admin: Member,
  { reference, amount, account, reason }: z.output<typeof call.body>,
): Promise<void> {
  const at = clock.now();
  await transact(db, "correctDifference", async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("ledger_differences")
      .where("reference", "=", reference)
      .executeTakeFirst();
    const [found] = numDeletedRows > 0n ? await findDifferences(tx, [reference]) : [];
    const cents = found ? found.providerCents - found.ledgerCents : 0;
    if (cents === 0 || cents !== toCents(amount))
      throw new AppError("STALE", "This difference has changed. Load the page again.");
    const id = newId(at);
    const entries = { stripe_clearing: cents, [account]: -cents };
    const journal = { kind: "correction", key: `correction:${id}`, reference, entries } as const;
    await postJournals(tx, { bookingId: null, currency, at }, [journal]);
    const by = { at, actor: admin.id, verb: "correct", object: "journal", objectId: id } as const;
    await recordAudit(tx, { ...by, detail: { reference, cents, account, reason } });
  });
}
