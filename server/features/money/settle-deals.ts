import type { Deps } from "../../deps.ts";
import { runParts } from "../../jobs/define-jobs.ts";
import { listPayable, listTransfersToLookUp, payOutDeal } from "./pay-out-deal.ts";
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
    await each(await listTransfersToLookUp(deps, batchSize), payOutDeal);
    await each(await listDueRefunds(deps, batchSize), refundPayment);
    await each(await listPayable(deps, batchSize), payOutDeal);
    await each(await listDebts(deps), recoverDebt);
    await each(await listStaleAccounts(deps), readSellerAccount);
  });
}
