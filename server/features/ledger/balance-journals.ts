import type { JournalKind, LedgerAccount } from "#contract/ledger.ts";
import type { BalanceTransaction } from "../../adapters/cards/port.ts";
import type { Journal } from "./deal-journals.ts";

const fees = ["stripe_fee", "stripe_fx_fee", "tax_fee"];

/** `account`: the counterpart of `stripe_clearing`. */
const moves: { kind: JournalKind; types: string[]; account: LedgerAccount }[] = [
  {
    kind: "payout",
    types: ["payout", "payout_cancel", "payout_failure"],
    account: "shop_bank",
  },
  { kind: "topup", types: ["topup", "topup_reversal"], account: "shop_bank" },
  {
    kind: "reserve",
    types: [
      "reserve_transaction",
      "reserved_funds",
      "reserve_hold",
      "reserve_release",
      "payment_network_reserve_hold",
      "payment_network_reserve_release",
      "payout_minimum_balance_hold",
      "payout_minimum_balance_release",
    ],
    account: "stripe_reserve",
  },
];

/** Returns journals of fees, of reserves, and of payouts to and top-ups from the shop's bank. */
export function balanceJournals(transaction: BalanceTransaction): Journal[] {
  const { id, type, reference, amountCents, feeCents } = transaction;
  const fee = feeCents - (fees.includes(type) ? amountCents : 0);
  const move = moves.find(({ types }) => types.includes(type));
  const journals: Journal[] = [];
  if (fee !== 0)
    journals.push({
      kind: "stripe_fee",
      key: `stripe_fee:${id}`,
      reference,
      entries: { stripe_fees: fee, stripe_clearing: -fee },
    });
  if (move && amountCents !== 0)
    journals.push({
      kind: move.kind,
      key: `${move.kind}:${id}`,
      reference,
      entries: { [move.account]: -amountCents, stripe_clearing: amountCents },
    });
  return journals;
}
