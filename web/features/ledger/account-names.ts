import type { LedgerAccount } from "#contract/ledger.ts";
import { formatPrice } from "#contract/price.ts";

/** The name of each account, and what its balance means. */
export const accountNames: Record<LedgerAccount, { name: string; about: string }> = {
  stripe_clearing: {
    name: "At the card provider",
    about: "Money in our account at the card provider.",
  },
  stripe_reserve: {
    name: "In reserve",
    about: "Ours, but kept back by the card provider.",
  },
  shop_bank: {
    name: "Our bank account",
    about: "Money paid out to it, less what we sent from it.",
  },
  deal_held: {
    name: "Held for buyers",
    about:
      "Paid by buyers for laptops that aren't handed over yet, or that they may still complain about.",
  },
  buyer_payable: {
    name: "Owed to buyers",
    about: "Refunds that are decided, and not sent to the buyer yet.",
  },
  seller_payable: {
    name: "Owed to sellers",
    about: "From sales that are complete, and not sent to the seller yet.",
  },
  seller_receivable: {
    name: "Owed by sellers",
    about:
      "Given back to buyers after the seller had the money. Kept from the seller's next sales.",
  },
  fee_revenue: { name: "Our fees", about: "Our part of the sales." },
  stripe_fees: { name: "Card provider's fees", about: "What the card provider charged us." },
  dispute_reserve: {
    name: "In dispute",
    about: "Taken back by buyers' banks that haven't decided yet.",
  },
  platform_loss: { name: "Losses", about: "Given back to buyers out of our own pocket." },
  credits: { name: "Members' credit", about: "Earned by invitations, and not spent yet." },
  marketing: { name: "Invitations", about: "What discounts and credit have cost us." },
};

/** An amount such as `$450` or `−$450`. */
export function formatBalance(amount: number): string {
  return `${amount < 0 ? "−" : ""}${formatPrice(Math.abs(amount))}`;
}
