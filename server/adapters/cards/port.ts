import type { DisputeState } from "#contract/life-cycle.ts";
import type { MoneyRefusal, SellerPayouts } from "./seller-payouts-port.ts";

/**
 * A payment intent at the provider. Only `findIntent` reads refunds, disputes and the card's
 * fingerprint.
 */
export type Intent = {
  id: string;
  clientSecret: string;
  /** `open` if it can still be paid. */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  /** Refunded so far, by us or in the provider's dashboard, excluding failed refunds. */
  refundedCents: number;
  refunds: Refund[];
  disputes: Dispute[];
  currency: string;
  bookingId: string | undefined;
  /** The charge that paid it, for transfers. Undefined while it is unpaid. */
  chargeId: string | undefined;
  /** The same for all payments with one card number. */
  cardFingerprint: string | undefined;
};

/**
 * A refund as the provider reports it. `pending`: accepted but not finished. A refund may fail
 * weeks after it succeeded.
 */
export type Refund = {
  id: string;
  amountCents: number;
  state: "pending" | "succeeded" | "failed";
  failureReason: string | undefined;
  /** As sent with the request. */
  metadata: Record<string, string>;
};

/** A cardholder asked their bank for the money back, or the bank inquires about the payment. */
export type Dispute = {
  id: string;
  state: DisputeState;
  amountCents: number;
  reason: string;
  /** The deadline for evidence. Null once it was submitted, and after the decision. */
  respondBy: Date | null;
  openedAt: Date;
  /** Cents the bank took from our balance (negative) or gave back, oldest first. */
  movements: number[];
};

export type IntentOrder = {
  bookingId: string;
  amountCents: number;
  currency: string;
  /** Receives the provider's receipt. */
  email: string;
};

/** A refund always names its amount, whether it is all of a payment or a part. */
export type RefundOrder = {
  intentId: string;
  amountCents: number;
  metadata: Record<string, string>;
  idempotencyKey: string;
};

/** An event of the provider. Handled events name their subject, which must be read again. */
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
  /** The payment intent, refund or dispute it belongs to, or the provider's id of anything else. */
  reference: string;
  intentId: string | undefined;
  /** Before the fee. Negative if the money left the account. */
  amountCents: number;
  feeCents: number;
  currency: string;
  createdAt: Date;
};

export type ListedEvent = CardEvent & { createdAt: Date };

/**
 * The card payment provider. Every method except `readEvent` makes a network call, and throws
 * `PROVIDER_UNAVAILABLE` if that fails.
 */
export type Cards = SellerPayouts & {
  /** For the provider's script in the buyer's browser. Null is the provider's default URL. */
  browser: { publishableKey: string; scriptUrl: string | null };
  /** Creates a booking's intent in its transfer group. Repeated calls return the same intent. */
  openIntent(order: IntentOrder): Promise<Intent>;
  /** An intent the provider does not know is returned as `cancelled`. */
  findIntent(intentId: string): Promise<Intent>;
  /** Cancels an open intent. Returns its state afterwards: `succeeded` if it was already paid. */
  cancelIntent(intentId: string): Promise<Intent>;
  /** Refunds a payment. `findIntent` lists the refunds with their metadata. */
  refund(order: RefundOrder): Promise<Refund | MoneyRefusal>;
  /** Verifies and parses a webhook request body. Throws `BAD_SIGNATURE`. */
  readEvent(bytes: Buffer, signature: string): Promise<CardEvent>;
  /**
   * The events that the shop handles, at `since` or later by the provider's clock. Without `since`,
   * all that the provider keeps.
   */
  listEvents(since: Date | undefined): Promise<ListedEvent[]>;
  /**
   * Changes of the account's balance, at `since` or later by the provider's clock. Without `since`,
   * all of them.
   */
  listBalanceTransactions(since: Date | undefined): Promise<BalanceTransaction[]>;
  /** The account's balance in cents, including money that can't be paid out yet. */
  readBalance(currency: string): Promise<number>;
};
