import { z } from "zod";
import { acknowledged, call, date, id } from "./call.ts";
import { payoutStates, settlementStates } from "./life-cycle.ts";
import { partRefund } from "./price-schemas.ts";

/** Enough for a busy seller's year. */
export const maxStatementSales = 5_000;

/** The seller's account when it was last read from the card provider. */
export const payoutAccount = z.object({
  connected: z.boolean(),
  /** False without an account, or while the provider needs details from the seller. */
  canReceive: z.boolean(),
  /** Whether the provider forwards money to the seller's bank. */
  canPayOut: z.boolean(),
  /** In dollars: money from finished sales that is ready to send and not on hold. */
  waiting: z.number(),
});

export type PayoutAccount = z.output<typeof payoutAccount>;

/** Amounts in dollars (decisions/money). */
export const sale = z.object({
  /** The booking's id. */
  _id: id,
  product: z.object({ _id: id, product_name: z.string() }),
  price: z.number(),
  fee: z.number(),
  refunded: z.number(),
  partRefund: partRefund.nullable(),
  /** Credit returned to the buyer, plus discount returned to the shop. */
  returned: z.number(),
  /** `sent`: to the seller. `keptForDebt`: withheld for the seller's debt from another sale. */
  sent: z.number(),
  keptForDebt: z.number(),
  state: z.enum(settlementStates),
  /** Whether a dispute or bank inquiry about the payment is open. */
  disputed: z.boolean(),
  /** The amount that the buyer's bank took back in lost disputes. */
  lost: z.number(),
  /** Whether the payout waits until an admin has checked the buyer's discount. */
  inReview: z.boolean(),
  /** When the buyer must return the laptop; null if no refund waits for a return. */
  returnBy: date.nullable(),
  paidAt: date,
  handedOverAt: date.nullable(),
  /** When the buyer's complaint window ends; null before the handover. */
  releaseAt: date.nullable(),
  sentAt: date.nullable(),
});

export type Sale = z.output<typeof sale>;

/** Sent by the card provider to the seller's bank. One payout may cover several sales. */
export const payout = z.object({
  _id: z.string(),
  amount: z.number(),
  state: z.enum(payoutStates),
  arrivesAt: date,
});

export type Payout = z.output<typeof payout>;

export const readPayoutAccount = call("GET /payouts/account", {
  access: "seller",
  summary: "Where the caller's money goes, and how much waits for it",
  reads: ["payouts", "bookings", "payments"],
  answers: { 200: payoutAccount },
});

export const connectPayoutAccount = call("POST /payouts/account", {
  access: "seller",
  openWhileClosed: true,
  summary: "A link, valid once, to the card provider's page where the caller gives name and bank",
  changes: ["payouts"],
  confirmed: true,
  limit: { max: 20, minutes: 60 },
  secretAnswer: true,
  answers: { 201: z.object({ url: z.string() }) },
  refusals: ["PROVIDER_UNAVAILABLE"],
});

export const refreshPayoutAccount = call("PUT /payouts/account", {
  access: "seller",
  summary:
    "Read the caller's account from the card provider again, after coming back from its page",
  changes: ["payouts"],
  limit: { max: 60, minutes: 60 },
  answers: { 200: acknowledged },
  refusals: ["PROVIDER_UNAVAILABLE"],
});

export const listSales = call("GET /payouts/sales", {
  access: "seller",
  summary: "The caller's paid sales and where their money is, newest first",
  reads: ["payouts", "bookings", "payments", "products"],
  paged: true,
  answers: { 200: z.array(sale) },
});

export const listPayouts = call("GET /payouts", {
  access: "seller",
  summary: "The newest payments by the card provider to the caller's bank, 50 at most",
  reads: ["payouts"],
  replica: true,
  answers: { 200: z.array(payout) },
});

const year = z.coerce
  .number("Enter a year.")
  .int("Enter a year.")
  .min(2000, "Enter a year from 2000.")
  .max(2200, "Enter a year up to 2200.");

export const readStatement = call("GET /payouts/statement", {
  access: "seller",
  summary: "The caller's sales that were paid in a year, by UTC, oldest first",
  reads: ["payouts", "bookings", "payments", "products"],
  query: z.object({ year }),
  limit: { max: 60, minutes: 60 },
  answers: { 200: z.array(sale) },
});

export const listStatementYears = call("GET /payouts/years", {
  access: "seller",
  summary: "The years, by UTC, in which a sale of the caller was paid, newest first",
  reads: ["payouts", "bookings", "payments"],
  answers: { 200: z.array(z.number().int()) },
});
