import type { LedgerAccount } from "#contract/ledger.ts";
import { formatPrice } from "#contract/price.ts";

/** The accounts by name, and what their balance is. */
export const accountNames: Record<LedgerAccount, { name: string; about: string }> = {
  stripe_clearing: { name: "Card provider", about: "Our money at the card provider." },
  shop_bank: { name: "Our bank account", about: "Sent from it, or paid out to it." },
  deal_held: { name: "Held for deals", about: "Buyers' money that we still hold." },
  seller_payable: { name: "Owed to sellers", about: "To be paid out to sellers." },
  seller_receivable: { name: "Owed by sellers", about: "To be paid back by sellers." },
  fee_revenue: { name: "Our fees", about: "What we earned." },
  stripe_fees: { name: "Card provider's fees", about: "What the card provider charged us." },
  dispute_reserve: { name: "In dispute", about: "Taken by banks that haven't decided yet." },
  platform_loss: { name: "Losses", about: "Paid beyond what we held for the deal." },
};

/** `$450`, `−$450`. */
export function formatBalance(amount: number): string {
  return `${amount < 0 ? "−" : ""}${formatPrice(Math.abs(amount))}`;
}
