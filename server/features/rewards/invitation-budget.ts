import { sql } from "kysely";
import { ruleCents } from "#contract/invitation-rules.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";

const monthMs = 30 * 24 * 3_600_000;

type Terms = Pick<Deps, "config" | "clock">;

/**
 * Whether giving `cents` more of discount or credit would exceed the shop's 30-day budget for
 * invitations. Expired credit still counts as given. A returned discount frees budget only if the
 * discount was given within the 30 days.
 */
export async function isOverBudget(tx: Tx, terms: Terms, cents = 1): Promise<boolean> {
  const { monthlyBudget } = terms.config.invitations.limits;
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
  return Number(rows[0]?.given) + cents > ruleCents(monthlyBudget);
}

/**
 * Serializes discounts and rewards, so that the remaining budget isn't given twice. Callers lock
 * the credit accounts first (decisions/rewards).
 */
export async function lockBudget(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('budget of invitations', 0))`.execute(tx);
}
