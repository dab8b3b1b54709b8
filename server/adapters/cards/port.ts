import type { DisputeState } from "#contract/life-cycle.ts";
import type { MoneyRefusal, SellerPayouts } from "./seller-payouts-port.ts";

/** A payment intent at the provider. Refunds, disputes and the card's fingerprint are read by `findIntent` only. */
export type Intent = {
  id: string;
  clientSecret: string;
  /** `open` if it can still be paid. */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  /** Refunded so far, by us or in the provider's dashboard, without refunds that failed. */
  refundedCents: number;
  refunds: Refund[];
  disputes: Dispute[];
  currency: string;
  bookingId: string | undefined;
  /** The charge that paid it, for transfers; undefined while it is unpaid. */
  chargeId: string | undefined;
  /** The same for all payments with one card number. */
  cardFingerprint: string | undefined;
};

/** A refund as the provider reports it. `pending`: accepted only. It may fail weeks after it has succeeded. */
export type Refund = {
  id: string;
  amountCents: number;
  state: "pending" | "succeeded" | "failed";
  failureReason: string | undefined;
  /** As sent with the request. */
  metadata: Record<string, string>;
};

/** A cardholder asked their bank for the money back, or the bank asks about the payment. */
export type Dispute = {
  id: string;
  state: DisputeState;
  amountCents: number;
  reason: string;
  /** Until when the provider takes evidence; null once it has it, and after the decision. */
  respondBy: Date | null;
  openedAt: Date;
  /** What its bank took from our balance (negative, in cents) and gave back, oldest first. */
  movements: number[];
};

export type IntentOrder = {
  bookingId: string;
  amountCents: number;
  currency: string;
  /** Receives the provider's receipt. */
  email: string;
};

/** A refund always names its amount: all of a payment, or a part of it. */
export type RefundOrder = {
  intentId: string;
  amountCents: number;
  metadata: Record<string, string>;
  idempotencyKey: string;
};

/** An event of the provider. Events that the shop handles name what they are about: read it again. */
export type CardEvent = {
  id: string;
  type: string;
  intentId: string | undefined;
  /** The seller's account whose capabilities, requirements or payouts changed. */
  accountId: string | undefined;
  /** The group of a transfer that was reversed. */
  transferGroup: string | undefined;
  /** The API version of the event, if it is not the one the shop is written for. */
  otherApiVersion: string | undefined;
};

/** A change of the account's balance at the provider. */
export type BalanceTransaction = {
  id: string;
  type: string;
  /** The payment intent, refund or dispute it belongs to; the provider's id of anything else. */
  reference: string;
  intentId: string | undefined;
  /** Negative if it left the account, before the fee. */
  amountCents: number;
  feeCents: number;
  currency: string;
  createdAt: Date;
};

export type ListedEvent = CardEvent & { createdAt: Date };

/** The card payment provider. Every method except `readEvent` makes a network call; it refuses `PROVIDER_UNAVAILABLE` if that fails. */
export type Cards = SellerPayouts & {
  /** What the buyer's browser needs to load the provider's script; null for the provider's default URL. */
  browser: { publishableKey: string; scriptUrl: string | null };
  /** Creates the intent of a booking, in its transfer group; repeated calls return the same one. */
  openIntent(order: IntentOrder): Promise<Intent>;
  /** An intent the provider does not know is returned as `cancelled`. */
  findIntent(intentId: string): Promise<Intent>;
  /** Cancels an open intent; returns its state afterwards, which is `succeeded` if it was paid before. */
  cancelIntent(intentId: string): Promise<Intent>;
  /** Refunds a payment. `findIntent` lists the refunds with their metadata. */
  refund(order: RefundOrder): Promise<Refund | MoneyRefusal>;
  /** Verifies and parses a webhook request body. Refuses `BAD_SIGNATURE`. */
  readEvent(bytes: Buffer, signature: string): Promise<CardEvent>;
  /** The events that the shop handles, at this time or later by the provider's clock; all it keeps, without one. */
  listEvents(since: Date | undefined): Promise<ListedEvent[]>;
  /** The changes of the account's balance, at this time or later by the provider's clock; all, without one. */
  listBalanceTransactions(since: Date | undefined): Promise<BalanceTransaction[]>;
  /** The account's balance in cents, with what can't be paid out yet. */
  readBalance(currency: string): Promise<number>;
};
