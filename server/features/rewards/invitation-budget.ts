import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";

const monthMs = 30 * 24 * 3_600_000;

type Terms = Pick<Deps, "config" | "clock">;

/**
 * Whether giving `cents` more of discount or credit would exceed the shop's budget for invitations of 30 days.
 * Expired credit was given too; a discount that went back counts only if it was given within them.
 */
export async function isOverBudget(tx: Tx, terms: Terms, cents = 1): Promise<boolean> {
  const { monthlyBudget } = terms.config.invitations.rules;
  const since = new Date(terms.clock.now().getTime() - monthMs);
  const { rows } = await sql<{ given: string }>`
    select coalesce(sum(cents), 0) as given
    from ledger_journals join ledger_entries on journal_id = ledger_journals.id
    where kind in ('credit_earned', 'discount', 'discount_returned') and at > ${since}
      and account = 'marketing'
      and (kind <> 'discount_returned' or exists (
        select from bookings where bookings.id = ledger_journals.booking_id and amount_fixed_at > ${since}))`.execute(
    tx,
  );
  return Number(rows[0]?.given) + cents > Math.round(monthlyBudget * 100);
}

/** Makes those who give take turns, so that two don't give the rest of the budget twice. After credit accounts (decisions/rewards). */
export async function lockBudget(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('budget of invitations', 0))`.execute(tx);
}
