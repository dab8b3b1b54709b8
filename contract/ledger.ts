import { z } from "zod";
import { acknowledged, call, date, id } from "./call.ts";
import { paragraphs, text } from "./text.ts";

/** Debits are positive, so debts and earnings have negative balances (decisions/money). */
export const ledgerAccounts = [
  /** Money at the card provider. */
  "stripe_clearing",
  "stripe_reserve",
  /** Money in the shop's own bank account. */
  "shop_bank",
  /** A deal's money until it goes to the seller or back to the buyer. */
  "deal_held",
  /** Refunds to buyers that are decided but not sent yet. */
  "buyer_payable",
  "seller_payable",
  "seller_receivable",
  "fee_revenue",
  "stripe_fees",
  /** Money that banks have withdrawn in undecided disputes. */
  "dispute_reserve",
  /** The shop's losses: money paid out that nobody owes back. */
  "platform_loss",
  /** Members' unspent credit (decisions/rewards). */
  "credits",
  /** Discounts and granted credit for invitations. */
  "marketing",
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

/** Events that move money (docs/money.md). */
export const journalKinds = [
  "charge",
  "refund_decided",
  "refund",
  "refund_failed",
  "refund_sent",
  "dispute_withdrawn",
  "dispute_lost",
  "dispute_reversed",
  "dispute_reinstated",
  "loss_covered",
  "transfer",
  "transfer_reversal",
  "stripe_fee",
  "payout",
  "topup",
  "reserve",
  "correction",
  "release",
  "release_undone",
  "set_off",
  "discount",
  "discount_returned",
  "credit_earned",
  "credit_spent",
  "credit_returned",
  "credit_expired",
] as const;
export type JournalKind = (typeof journalKinds)[number];

export const ledgerDifference = z.object({
  /** The provider's id for the payment intent, refund, dispute or balance transaction. */
  reference: z.string(),
  /** After fees, in dollars; negative for outgoing money. */
  atProvider: z.number(),
  inLedger: z.number(),
  foundAt: date,
});

export type LedgerDifference = z.output<typeof ledgerDifference>;

export const ledger = z.object({
  /** In dollars; debits are positive. */
  balances: z.array(z.object({ account: z.enum(ledgerAccounts), balance: z.number() })),
  /** The newest comparison with the provider's balance transactions; null if there was none. */
  reconciliation: z
    .object({
      at: date,
      atProvider: z.number(),
      inLedger: z.number(),
      differences: z.array(ledgerDifference),
    })
    .nullable(),
});

export type Ledger = z.output<typeof ledger>;

export const readLedger = call("GET /ledger", {
  access: "finance",
  summary: "The balances of the ledger's accounts, and its differences from the card provider",
  reads: ["payments"],
  replica: true,
  answers: { 200: ledger },
});

export const journal = z.object({
  _id: z.string(),
  kind: z.enum(journalKinds),
  at: date,
  reference: z.string().nullable(),
  bookingId: id.nullable(),
  /** In dollars; debits are positive. */
  entries: z.array(z.object({ account: z.enum(ledgerAccounts), amount: z.number() })),
});

export type Journal = z.output<typeof journal>;

export const journalFilter = z.object({
  /** The provider's id for a payment, refund or dispute. */
  search: text("Enter a transaction ID.", 255),
});

export const listJournals = call("GET /ledger/journals", {
  access: "finance",
  summary:
    "All journals of the payment that a transaction, refund or dispute belongs to, oldest first",
  reads: ["payments"],
  replica: true,
  query: journalFilter,
  answers: { 200: z.array(journal) },
});

export const correctionAccounts = [
  "platform_loss",
  "stripe_fees",
  "shop_bank",
  "stripe_reserve",
] as const satisfies LedgerAccount[];

export const correctionForm = z.object({
  account: z.enum(correctionAccounts, "Choose where the money came from or went."),
  reason: paragraphs("Say why.", 500),
});

export const correctDifference = call("POST /ledger/corrections", {
  access: "finance",
  summary: "Make the ledger agree with the card provider where they differ, by hand",
  changes: ["payments"],
  body: correctionForm.extend({
    reference: text("Send the reference of the difference.", 255),
    /** The difference that the admin saw, in dollars: the provider's amount minus the ledger's. */
    amount: z.number("Send the amount of the difference."),
  }),
  limit: { max: 60, minutes: 10 },
  answers: { 200: acknowledged },
  refusals: ["STALE"],
});
