import { describe, expect, test } from "vitest";
import type { LedgerAccount } from "#contract/ledger.ts";
import { DealJournals, type Journal } from "./deal-journals.ts";

const intent = { id: "pi_1", amountCents: 64_000 };
const refund = { id: "re_1", amountCents: 64_000 };
const dispute = { id: "du_1", movements: [-64_000] };

function after(happen: (deal: DealJournals) => void, posted: Journal[] = []) {
  const deal = new DealJournals(posted);
  deal.charge(intent);
  happen(deal);
  deal.coverLoss("b-1");
  return deal;
}

function balances(deal: DealJournals) {
  const accounts: LedgerAccount[] = [
    "stripe_clearing",
    "shop_bank",
    "deal_held",
    "dispute_reserve",
    "platform_loss",
  ];
  return Object.fromEntries(
    accounts.flatMap((account) => {
      const cents = deal.balance(account);
      return cents === 0 ? [] : [[account, cents]];
    }),
  );
}

const paid = { stripe_clearing: 64_000, deal_held: -64_000 };

const flows: [string, (deal: DealJournals) => void, object][] = [
  ["an inquiry", (deal) => deal.dispute({ ...dispute, movements: [] }, "open"), paid],
  [
    "a dispute that was lost and then won, before the bank returned the money",
    (deal) => {
      deal.dispute(dispute, "lost");
      deal.dispute(dispute, "won");
    },
    { deal_held: -64_000, dispute_reserve: 64_000 },
  ],
  [
    "a dispute decision that changed twice",
    (deal) => {
      deal.dispute(dispute, "lost");
      deal.dispute({ ...dispute, movements: [-64_000, 64_000] }, "won");
      deal.dispute({ ...dispute, movements: [-64_000, 64_000, -64_000] }, "lost");
    },
    {},
  ],
  [
    "a dispute that was lost after a refund",
    (deal) => {
      deal.refund(refund);
      deal.dispute(dispute, "lost");
    },
    { stripe_clearing: -64_000, platform_loss: 64_000 },
  ],
  [
    "a dispute that was won after a refund",
    (deal) => {
      deal.refund(refund);
      deal.dispute({ ...dispute, movements: [-64_000, 64_000] }, "won");
    },
    {},
  ],
  [
    "a refund that failed after a dispute also took the money",
    (deal) => {
      deal.refund(refund);
      deal.dispute(dispute, "lost");
      deal.failRefund(refund.id);
    },
    {},
  ],
];

test.each(flows)(
  "%s leaves the expected balances, and each journal sums to zero and has its own key",
  (_, happen, expected) => {
    const deal = after(happen);
    expect(balances(deal)).toEqual(expected);
    const journals = deal.added();
    for (const { entries } of journals)
      expect(Object.values(entries).reduce((sum, cents) => sum + cents, 0)).toBe(0);
    expect(new Set(journals.map(({ key }) => key)).size).toBe(journals.length);
  },
);

test("repeated and outdated reports from the provider add no journals", () => {
  const won = { ...dispute, movements: [-64_000, 64_000] };
  const posted = after((deal) => {
    deal.refund(refund);
    deal.failRefund(refund.id);
    deal.dispute(won, "won");
  }).added();
  const again = after((deal) => {
    deal.refund(refund);
    deal.failRefund(refund.id);
    deal.dispute(dispute, "won");
    deal.dispute(won, "won");
  }, posted);
  expect(again.added()).toEqual([]);
});

test("a failed refund returns the refunded amount, but not the provider's fee for the refund", () => {
  const fee: Journal = {
    kind: "stripe_fee",
    key: "stripe_fee:txn_1",
    reference: refund.id,
    entries: { stripe_fees: 50, stripe_clearing: -50 },
  };
  const refunded = after((deal) => deal.refund(refund)).added();
  const failed = after((deal) => deal.failRefund(refund.id), [...refunded, fee]);
  expect(failed.added()).toEqual([
    expect.objectContaining({
      kind: "refund_failed",
      entries: { stripe_clearing: 64_000, buyer_payable: -64_000 },
    }),
  ]);
});

describe("after a payout to the seller", () => {
  /** The shop's fee: 10% of the seller's total earnings before the fee. */
  const tenth = (cents: number) => Math.round(cents / 10);
  const sale = new DealJournals([]);
  sale.charge(intent);
  sale.release("b-1:1", tenth);
  sale.transfer({ id: "tr_1", cents: 57_600 });
  const sold = sale.added();
  const part = { id: "du_2", movements: [-3_200] };

  test("after a payout, a won dispute restores the fee that the shop gave up", () => {
    const won = new DealJournals(sold);
    won.dispute(dispute, "open");
    won.dispute({ ...dispute, movements: [-64_000, 64_000] }, "won");
    won.coverLoss("b-1");
    expect(won.balance("fee_revenue")).toBe(-6_400);
    expect(won.balance("deal_held")).toBe(0);
  });

  test("after a payout, the fee never exceeds the money left in the deal", () => {
    const left = new DealJournals(sold);
    left.refund({ ...refund, amountCents: 3_200 });
    left.dispute(part, "open");
    left.dispute({ ...part, movements: [-3_200, 3_200] }, "won");
    expect(left.release("b-1:2", tenth)).toBe(0);
    expect(left.balance("fee_revenue")).toBe(-3_200);
  });
});
