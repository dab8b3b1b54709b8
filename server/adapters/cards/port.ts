import type { DisputeState } from "#contract/life-cycle.ts";
import type { MoneyRefusal, SellerPayouts } from "./seller-payouts-port.ts";

/**
 * A payment intent at the provider. Only `findIntent` returns refunds, disputes and the card's
 * fingerprint.
 */
export type Intent = {
  id: string;
  clientSecret: string;
  /** `open`: the intent can still be paid. */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  /** Cents refunded so far, by us or in the provider's dashboard, excluding failed refunds. */
  refundedCents: number;
  refunds: Refund[];
  disputes: Dispute[];
  currency: string;
  bookingId: string | undefined;
  /** The charge that paid the intent; transfers need it. Undefined while the intent is unpaid. */
  chargeId: string | undefined;
  /** Equal for all payments with the same card number. */
  cardFingerprint: string | undefined;
};

/**
 * A refund as the provider reports it. `pending`: accepted but not finished. A refund can still
 * fail weeks after it succeeded.
 */
export type Refund = {
  id: string;
  amountCents: number;
  state: "pending" | "succeeded" | "failed";
  failureReason: string | undefined;
  /** The refund request's metadata. */
  metadata: Record<string, string>;
};

/** A cardholder's demand for the money back, or a bank's inquiry about the payment. */
export type Dispute = {
  id: string;
  state: DisputeState;
  amountCents: number;
  reason: string;
  /** The deadline for evidence. Null after evidence was submitted or the dispute was decided. */
  respondBy: Date | null;
  openedAt: Date;
  /** Cents that the bank took from us (negative) or gave back, oldest first. */
  movements: number[];
};

export type IntentOrder = {
  bookingId: string;
  amountCents: number;
  currency: string;
  /** The address that receives the provider's receipt. */
  email: string;
  /** The shop's name, for bank statements. */
  shopName?: string;
};

/** An order to refund a payment. It states the amount even for a full refund. */
export type RefundOrder = {
  intentId: string;
  amountCents: number;
  metadata: Record<string, string>;
  idempotencyKey: string;
};

/** An event from the provider. Contains only ids, so states must be read from the provider. */
export type CardEvent = {
  id: string;
  type: string;
  intentId: string | undefined;
  /** The seller's account whose capabilities, requirements or payouts changed. */
  accountId: string | undefined;
  /** The transfer group of a reversed transfer. */
  transferGroup: string | undefined;
  /** The event's API version, if it differs from the version that the shop uses. */
  otherApiVersion: string | undefined;
};

/** A change in the account's balance at the provider. */
export type BalanceTransaction = {
  id: string;
  type: string;
  /** The id of the object behind the change, such as a payment intent, refund or dispute. */
  reference: string;
  intentId: string | undefined;
  /** Amount before the fee. Negative if the money left the account. */
  amountCents: number;
  feeCents: number;
  currency: string;
  createdAt: Date;
};

export type ListedEvent = CardEvent & { createdAt: Date };

/**
 * The card payment provider. Every method except `readEvent` makes a network call, and throws
 * `PROVIDER_UNAVAILABLE` if the call fails.
 */
export type Cards = SellerPayouts & {
  /** Settings for the provider's script in browsers. A null URL means the provider's default. */
  browser: { publishableKey: string; scriptUrl: string | null };
  /** Creates an intent in the booking's transfer group. Repeated calls return the same intent. */
  openIntent(order: IntentOrder): Promise<Intent>;
  /** Reads an intent. An intent unknown to the provider is returned as `cancelled`. */
  findIntent(intentId: string): Promise<Intent>;
  /** Cancels an open intent. Returns the intent's new state: `succeeded` if it was already paid. */
  cancelIntent(intentId: string): Promise<Intent>;
  /** Refunds a payment. `findIntent` lists the refunds with their metadata. */
  refund(order: RefundOrder): Promise<Refund | MoneyRefusal>;
  /** Verifies and parses a webhook request body. Throws `BAD_SIGNATURE`. */
  readEvent(bytes: Buffer, signature: string): Promise<CardEvent>;
  /**
   * Lists the events that the shop handles, from `since` on, by the provider's clock. Without
   * `since`, lists all events that the provider still stores.
   */
  listEvents(since: Date | undefined): Promise<ListedEvent[]>;
  /**
   * Lists changes in the account's balance, from `since` on, by the provider's clock. Without
   * `since`, lists all changes.
   */
  listBalanceTransactions(since: Date | undefined): Promise<BalanceTransaction[]>;
  /** The account's balance in cents, including money that can't be paid out yet. */
  readBalance(currency: string): Promise<number>;
};
