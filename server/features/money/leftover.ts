import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import type { DealJournals } from "../ledger/deal-journals.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { isUnclaimed } from "./payout-accounts.ts";

/** `toBuyerCents`: paid by card. `waits`: the money belongs to the seller, who can't receive it. */
export type Leftover = { cents: number; toBuyerCents: number; waits: boolean };

/** SQL condition on `settlements` and `bookings`: no dispute is open and no refund is owed. */
const isQuiet = sql<boolean>`(bookings.payout_held_at is null
  and exists (
    select from payments p where p.booking_id = bookings.id and p.state = 'succeeded' and p.owed_since is null))`;

const hasEnded = sql<boolean>`(settlements.closed_at is not null and settlements.handed_over_at is not null)`;

/** SQL: closed deals that have money again, in cents. `since`: when the last part came back. */
export const cameBackCents: RawBuilder<unknown> = sql`
  select settlements.booking_id, held as cents, came_back.at as since
  from (
    select booking_id, max(at) as at from ledger_journals
    where kind in ('refund_failed', 'dispute_reversed', 'dispute_reinstated', 'transfer_reversal', 'refund_sent')
    group by booking_id) as came_back
  join settlements using (booking_id) join bookings on bookings.id = booking_id
  cross join lateral (
    select -sum(cents) as held from ledger_journals j join ledger_entries on journal_id = j.id
    where j.booking_id = settlements.booking_id
      and account in ('deal_held', 'dispute_reserve', 'seller_payable')) as money
  where held > 0 and ${hasEnded} and ${isQuiet}`;

/** Money for an admin to forward. Zero while a dispute is open or a partial refund is owed. */
export async function readLeftover(
  tx: Tx,
  terms: Pick<Deps, "clock" | "config">,
  bookingId: string,
): Promise<Leftover> {
  const found = await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select("settlements.closed_at")
    .where("settlements.booking_id", "=", bookingId)
    .where(isQuiet)
    .where(sql<boolean>`(${hasEnded} or settlements.releasing and ${isUnclaimed(terms)})`)
    .executeTakeFirst();
  if (!found) return { cents: 0, toBuyerCents: 0, waits: false };
  const waits = found.closed_at === null;
  const journals = await readDeal(tx, { bookingId });
  if (waits) journals.recallAll("unclaimed");
  const cents = Math.max(0, journals.held());
  return { cents, toBuyerCents: toBuyerOf(cents, journals), waits };
}

function toBuyerOf(cents: number, journals: DealJournals): number {
  return Math.max(0, Math.min(cents, journals.paidByCard()));
}
