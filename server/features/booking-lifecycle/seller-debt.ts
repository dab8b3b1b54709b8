import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";

/** Since the payment: after so long a debt is recovered from later sales alone. */
export const recoverableMs = 180 * 24 * 3_600_000;

/** What a seller owes for sales whose buyers got money back after the seller was paid, in cents, while it can be recovered. */
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
