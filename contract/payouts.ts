import { z } from "zod";
import { acknowledged, call, date, id, page } from "./call.ts";
import { payoutStates, settlementStates } from "./life-cycle.ts";
import { partRefund } from "./money.ts";

/** Sales on one statement at most: a year of a busy seller. */
export const maxStatementSales = 5_000;

/** Where a seller's money goes: their account at the card provider, as it was last read there. */
export const payoutAccount = z.object({
  connected: z.boolean(),
  /** Whether money can be sent to it. If not, the card provider still needs something from the seller. */
  canReceive: z.boolean(),
  /** Whether the card provider sends it on to the seller's bank. */
  canPayOut: z.boolean(),
  /** Of sales that are over, in dollars: sent as soon as the account can receive it. */
  waiting: z.number(),
});

export type PayoutAccount = z.output<typeof payoutAccount>;

/** A paid sale, and where its money is (decisions/money). Amounts in dollars. */
export const sale = z.object({
  /** The booking's. */
  _id: id,
  product: z.object({ _id: id, product_name: z.string() }),
  price: z.number(),
  fee: z.number(),
  /** What went back to the buyer. */
  refunded: z.number(),
  /** Null if the whole payment goes back or nothing does. */
  partRefund: partRefund.nullable(),
  /** Of the buyer's discount and credit, what went back to the shop and the buyer. */
  returned: z.number(),
  /** What was sent to the seller, and what was kept of it for an earlier sale that was refunded. */
  sent: z.number(),
  keptForDebt: z.number(),
  state: z.enum(settlementStates),
  /** Whether the buyer's bank is deciding about the payment. */
  disputed: z.boolean(),
  /** What the buyer's bank has taken back of it. */
  lost: z.number(),
  /** Whether the payout waits until an admin has checked the buyer's discount. */
  inReview: z.boolean(),
  /** Until when the buyer gives the laptop back, while a refund waits for that. */
  returnBy: date.nullable(),
  paidAt: date,
  handedOverAt: date.nullable(),
  /** When the buyer's time to complain is over; null before the handover. */
  releaseAt: date.nullable(),
  sentAt: date.nullable(),
});

export type Sale = z.output<typeof sale>;

/** A payment by the card provider to the seller's bank. It may be for several sales. */
export const payout = z.object({
  _id: z.string(),
  amount: z.number(),
  state: z.enum(payoutStates),
  /** When it is expected at the bank. */
  arrivesAt: date,
});

export type Payout = z.output<typeof payout>;

export const readPayoutAccount = call({
  method: "GET",
  path: "/payouts/account",
  access: "seller",
  summary: "Where the caller's money goes, and how much waits for it",
  reads: ["payouts", "bookings", "payments"],
  answers: { 200: payoutAccount },
  refusals: [],
});

export const connectPayoutAccount = call({
  method: "POST",
  path: "/payouts/account",
  access: "seller",
  summary: "A link, valid once, to the card provider's page where the caller gives name and bank",
  changes: ["payouts"],
  confirmed: true,
  limit: { most: 20, minutes: 60 },
  secretAnswer: true,
  answers: { 201: z.object({ url: z.string() }) },
  refusals: ["ADDRESS_NOT_CONFIRMED", "PROVIDER_UNAVAILABLE"],
});

export const refreshPayoutAccount = call({
  method: "PUT",
  path: "/payouts/account",
  access: "seller",
  summary:
    "Read the caller's account from the card provider again, after coming back from its page",
  changes: ["payouts"],
  limit: { most: 60, minutes: 60 },
  answers: { 200: acknowledged },
  refusals: ["PROVIDER_UNAVAILABLE"],
});

export const listSales = call({
  method: "GET",
  path: "/payouts/sales",
  access: "seller",
  summary: "The caller's paid sales and where their money is, newest first",
  reads: ["payouts", "bookings", "payments", "products"],
  query: page,
  paged: true,
  answers: { 200: z.array(sale) },
  refusals: [],
});

export const listPayouts = call({
  method: "GET",
  path: "/payouts",
  access: "seller",
  summary: "The newest payments by the card provider to the caller's bank, 50 at most",
  reads: ["payouts"],
  replica: true,
  answers: { 200: z.array(payout) },
  refusals: [],
});

const year = z.coerce
  .number("Enter a year.")
  .int("Enter a year.")
  .min(2000, "Enter a year from 2000.")
  .max(2200, "Enter a year up to 2200.");

export const readStatement = call({
  method: "GET",
  path: "/payouts/statement",
  access: "seller",
  summary: "The caller's sales that were paid in a year, by UTC, oldest first",
  reads: ["payouts", "bookings", "payments", "products"],
  query: z.object({ year }),
  limit: { most: 60, minutes: 60 },
  answers: { 200: z.array(sale) },
  refusals: [],
});

export const listStatementYears = call({
  method: "GET",
  path: "/payouts/years",
  access: "seller",
  summary: "The years, by UTC, in which a sale of the caller was paid, newest first",
  reads: ["payouts", "bookings", "payments"],
  answers: { 200: z.array(z.number().int()) },
  refusals: [],
});
