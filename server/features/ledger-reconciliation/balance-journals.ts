import type { BalanceTransaction } from "../../adapters/cards/port.ts";
import type { Journal } from "../ledger/deal-journals.ts";

const payouts = ["payout", "payout_cancel", "payout_failure"];
const fees = ["stripe_fee", "stripe_fx_fee", "tax_fee"];

/** The journals of what only the provider's list tells: its fees, and payouts to the shop's own bank account. */
export function balanceJournals(transaction: BalanceTransaction): Journal[] {
  const { id, type, reference, amountCents, feeCents } = transaction;
  const fee = feeCents - (fees.includes(type) ? amountCents : 0);
  const paidOut = payouts.includes(type) ? -amountCents : 0;
  const journals: Journal[] = [];
  if (fee !== 0)
    journals.push({
      ...{ kind: "stripe_fee", key: `stripe_fee:${id}`, reference },
      entries: { stripe_fees: fee, stripe_clearing: -fee },
    });
  if (paidOut !== 0)
    journals.push({
      ...{ kind: "payout", key: `payout:${id}`, reference },
      entries: { shop_bank: paidOut, stripe_clearing: -paidOut },
    });
  return journals;
}
