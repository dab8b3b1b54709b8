import type { Deps } from "../../deps.ts";
import { runParts } from "../../jobs/define-jobs.ts";
import { mayBePaidOut } from "./discounts-in-review.ts";
import { firstLookMs, hasLiveTransfer } from "./money-moves.ts";
import { payOutDeal } from "./pay-out-deal.ts";
import { listStaleAccounts, readSellerAccount } from "./record-payouts.ts";
import { listDebts, recoverDebt } from "./reverse-transfers.ts";
import { listDueRefunds, refundPayment } from "./send-refund.ts";
import { listDeadlines, meetDeadline } from "./settlement-deadlines.ts";

const batchSize = 200;
const timeoutMs = 50_000;

/** Job `settleDeals`, every minute. */
export async function settleDeals(deps: Deps): Promise<void> {
  const timedOut = AbortSignal.timeout(timeoutMs);
  await runParts("settled", async (attempt) => {
    const each = async (ids: string[], step: (deps: Deps, id: string) => Promise<void>) => {
      for (const id of ids) if (!timedOut.aborted) await attempt(() => step(deps, id));
    };
    await each(await listDeadlines(deps), meetDeadline);
    // These steps come last, because each needs requests to the provider.
    await each(await listTransfersToLookUp(deps), payOutDeal);
    await each(await listDueRefunds(deps, batchSize), refundPayment);
    await each(await listPayable(deps), payOutDeal);
    await each(await listDebts(deps), recoverDebt);
    await each(await listStaleAccounts(deps), readSellerAccount);
  });
}

async function listTransfersToLookUp({ db, clock }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("money_moves")
    .select("booking_id")
    .where("kind", "=", "transfer")
    .where("state", "=", "intended")
    .where("last_called_at", "<=", new Date(clock.now().getTime() - firstLookMs))
    .orderBy("last_called_at")
    .limit(batchSize)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

async function listPayable({ db, clock }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .innerJoin("payout_accounts", "payout_accounts.member_id", "settlements.seller_id")
    .innerJoin("members", "members.id", "settlements.seller_id")
    .select("settlements.booking_id")
    .where("settlements.releasing", "=", true)
    .where("bookings.payout_held_at", "is", null)
    .where("transfers_active", "=", true)
    .where("members.suspended_at", "is", null)
    .where(mayBePaidOut)
    .where(({ or, eb }) => or([eb("retry_at", "is", null), eb("retry_at", "<=", clock.now())]))
    .where(({ not }) => not(hasLiveTransfer))
    .orderBy("settlements.decided_at")
    .limit(batchSize)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}
