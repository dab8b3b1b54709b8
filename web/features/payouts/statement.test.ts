import { expect, onTestFinished, test, vi } from "vitest";
import type { Sale } from "#contract/payouts.ts";
import { statementCsv } from "./Statement.tsx";
import { amountOf, saleStatus } from "./sale-status.ts";

const sale: Sale = {
  _id: "01890a5d-ac96-774b-bcce-b302099a8057",
  product: { _id: "01890a5d-ac96-774b-bcce-b302099a8058", product_name: '=HYPERLINK("x"), 14"' },
  price: 640,
  fee: 19.2,
  refunded: 100,
  partRefund: { refunded: 100, owed: 0, failed: false },
  sent: 520.8,
  keptForDebt: 0,
  returned: 0,
  inReview: false,
  returnBy: null,
  state: "released",
  disputed: false,
  lost: 0,
  paidAt: "2026-11-02T10:00:00.000Z",
  handedOverAt: "2026-11-03T10:00:00.000Z",
  releaseAt: "2026-11-06T10:00:00.000Z",
  sentAt: "2026-11-06T10:01:00.000Z",
};

test("a statement shows cents, and keeps a spreadsheet from running a laptop's name as a formula", () => {
  const [, row] = statementCsv([sale]).split("\r\n");
  expect(row).toBe(
    `2026-11-02,"'=HYPERLINK(""x""), 14""",USD,640.00,19.20,100.00,520.80,520.80,$100 refunded. Sent on Nov 6.`,
  );
});

test("the seller's amount is reduced by a partial refund that is still owed", () => {
  const part = { refunded: 0, owed: 100, failed: false };
  const unsent = { ...sale, refunded: 0, fee: 16.2, sent: 0, sentAt: null };
  const refunding: Sale = { ...unsent, state: "releasing", partRefund: part };
  expect(amountOf(refunding)).toBe(523.8);
  expect(saleStatus(refunding)).toBe(
    "We're refunding $100 of the price. The rest is yours. Waiting to be sent.",
  );
  // The buyer's bank has sent the refund back for the third time.
  const waiting: Sale = { ...unsent, state: "releasing", partRefund: { ...part, failed: true } };
  expect(amountOf(waiting)).toBe(523.8);
  expect(saleStatus(waiting)).toBe(
    "We couldn't refund $100 of the price to the buyer's card. We'll send it another way. The rest is yours. Waiting to be sent.",
  );
  expect(amountOf({ ...unsent, state: "refunding", partRefund: null })).toBe(0);
});

test("a settled sale's amount is what was sent plus what was kept for a debt, even if money came back", () => {
  // Either the buyer's bank returned $100, or $100 was taken back from the seller.
  const cameBack = { ...sale, refunded: 0, partRefund: null };
  expect(amountOf(cameBack)).toBe(520.8);
  expect(saleStatus(cameBack)).toBe("Sent on Nov 6.");
  expect(saleStatus({ ...cameBack, sent: 0 })).toBe("Sent on Nov 6, and taken back since.");
  expect(amountOf({ ...cameBack, sent: 400, keptForDebt: 120 })).toBe(520);
  expect(amountOf({ ...cameBack, state: "refunded", sent: 0, sentAt: null })).toBe(0);
  expect(amountOf({ ...cameBack, state: "releasing", sent: 0, sentAt: null })).toBe(620.8);
});

test("a disputed sale is shown as on hold, even during the complaint period", () => {
  expect(
    saleStatus({ ...sale, partRefund: null, state: "complaint_window", disputed: true }),
  ).toMatch(/^On hold/);
  expect(saleStatus({ ...sale, partRefund: null, state: "complaint_window" })).toMatch(
    /^Handed over. Yours on Nov 6/,
  );
});

test("the seller's amount is reduced by what the buyer's bank took back", () => {
  const taken: Sale = {
    ...sale,
    refunded: 0,
    partRefund: null,
    sent: 0,
    fee: 0,
    state: "complaint_window",
    lost: 640,
  };
  expect(amountOf(taken)).toBe(0);
  expect(saleStatus(taken)).toBe("The buyer's bank took the payment back.");
  expect(amountOf({ ...taken, lost: 540 })).toBe(100);
});

test("in every time zone, a payment to the bank has the day that the card provider names", async () => {
  vi.stubEnv("TZ", "America/Los_Angeles").resetModules();
  onTestFinished(() => void vi.unstubAllEnvs());
  const { payoutStatus } = await import("./sale-status.ts");
  const payout = { _id: "po_1", amount: 520.8, arrivesAt: "2026-11-24T00:00:00.000Z" };
  expect(payoutStatus({ ...payout, state: "in_transit" })).toBe("On its way, about Nov 24");
  expect(payoutStatus({ ...payout, state: "paid" })).toBe("Arrived Nov 24");
});
