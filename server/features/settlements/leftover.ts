import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { owedToBuyer } from "../booking-lifecycle/owed-to-buyer.ts";
import { type DealJournals, dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";
import { canBePaid } from "./payout-accounts.ts";

/**
 * `toBuyerCents`: what the buyer can get of it, because they have paid it by card. `waits`: an admin has sent it to the
 * seller, who can't receive it any more.
 */
export type Leftover = { cents: number; toBuyerCents: number; waits: boolean };

/** SQL: the kinds of journals after which a settled deal may have other money left over: it came back, or a part was sent. */
export const leftoverKinds = sql.join(
  [
    ...["refund_failed", "dispute_reversed", "dispute_reinstated", "transfer_reversal"],
    "refund_sent",
  ].map((kind) => sql.lit(kind)),
);

/**
 * What has come back to a deal after it was settled, and is nobody's until an admin sends it on, in cents: by a reversal
 * beyond what the seller owed, or a dispute that was won once its debt was paid.
 */
export async function readLeftover(tx: Tx, bookingId: string): Promise<Leftover> {
  const settled = await tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select(["settlements.state", "settlements.seller_id", "settlements.round"])
    .where("settlements.booking_id", "=", bookingId)
    .where("settlements.state", "in", ["released", "refunded", "releasing"])
    .where("settlements.handed_over_at", "is not", null)
    .where("bookings.payout_held_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("payments")
          .select("id")
          .whereRef("payments.booking_id", "=", "settlements.booking_id")
          .where("payments.state", "=", "succeeded"),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("partial_refunds")
            .select("id")
            .whereRef("partial_refunds.booking_id", "=", "settlements.booking_id")
            .where(({ or, eb }) =>
              or([eb("next_look_at", "is not", null), eb("given_up_at", "is not", null)]),
            ),
        ),
      ),
    )
    .executeTakeFirst();
  const waits = settled?.state === "releasing";
  if (!settled || (waits && !(await isStuck(tx, bookingId, settled))))
    return { cents: 0, toBuyerCents: 0, waits: false };
  const journals = dealJournals(await postedJournals(tx, bookingId));
  const owed = await owedToBuyer(tx, bookingId, journals);
  const onItsWay = waits ? -journals.balance("seller_payable") : 0;
  const cents = Math.max(0, journals.held() + onItsWay - owed);
  return { cents, toBuyerCents: toBuyerOf(cents, journals), waits };
}

type Sent = { seller_id: string; round: number };

/** Whether money that an admin has sent the seller can't reach them; no transfer of it is under way. */
async function isStuck(tx: Tx, bookingId: string, { seller_id, round }: Sent): Promise<boolean> {
  if (round === 1 || (await canBePaid(tx, seller_id))) return false;
  const live = await tx
    .selectFrom("transfers")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("round", "=", round)
    .where("state", "<>", "refused")
    .executeTakeFirst();
  return live === undefined;
}

export function toBuyerOf(cents: number, journals: DealJournals): number {
  return Math.max(0, Math.min(cents, journals.paidByCard()));
}
