import type { DisputeState } from "#contract/life-cycle.ts";
import type { MoneyRefusal, SellerPayouts } from "./seller-payouts-port.ts";

/** Only `findIntent` returns refunds, disputes and the card's fingerprint. */
export type Intent = {
  id: string;
  clientSecret: string;
  /** `open`: can still be paid. */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  /** Refunded so far, by us or in the provider's dashboard, excluding failed refunds. */
  refundedCents: number;
  refunds: Refund[];
  disputes: Dispute[];
  currency: string;
  bookingId: string | undefined;
  /** Transfers need it. Undefined while the intent is unpaid. */
  chargeId: string | undefined;
  /** Equal for all payments with the same card number. */
  cardFingerprint: string | undefined;
};

/** `pending`: accepted but not finished. A refund can still fail weeks after it succeeded. */
export type Refund = {
  id: string;
  amountCents: number;
  state: "pending" | "succeeded" | "failed";
  failureReason: string | undefined;
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
  /** Receives the provider's receipt. */
  email: string;
  /** For bank statements. */
  shopName?: string;
};

/** States the amount even for a full refund. */
export type RefundOrder = {
  intentId: string;
  amountCents: number;
  metadata: Record<string, string>;
  idempotencyKey: string;
};

/** Contains only ids, so states must be read from the provider. */
export type CardEvent = {
  id: string;
  type: string;
  intentId: string | undefined;
  /** The seller's account whose capabilities, requirements or payouts changed. */
  accountId: string | undefined;
  /** The transfer group of a reversed transfer. */
  transferGroup: string | undefined;
  /** Set if it differs from the version that the shop uses. */
  otherApiVersion: string | undefined;
};

export type BalanceTransaction = {
  id: string;
  type: string;
  /** The id of the payment intent, refund, dispute or other object that changed the balance. */
  reference: string;
  intentId: string | undefined;
  /** Before the fee. Negative if the money left the account. */
  amountCents: number;
  feeCents: number;
  currency: string;
  createdAt: Date;
};

export type ListedEvent = CardEvent & { createdAt: Date };

/** Every method but `readEvent` calls the network. Throws `PROVIDER_UNAVAILABLE` if that fails. */
export type Cards = SellerPayouts & {
  /** For the provider's script in browsers. A null URL means the provider's default. */
  browser: { publishableKey: string; scriptUrl: string | null };
  /** In the booking's transfer group. Repeated calls return the same intent. */
  openIntent(order: IntentOrder): Promise<Intent>;
  /** An intent unknown to the provider is returned as `cancelled`. */
  findIntent(intentId: string): Promise<Intent>;
  /** Returns the new state, which is `succeeded` if the intent was already paid. */
  cancelIntent(intentId: string): Promise<Intent>;
  refund(order: RefundOrder): Promise<Refund | MoneyRefusal>;
  /** Verifies and parses a webhook request's body. Throws `BAD_SIGNATURE`. */
  readEvent(bytes: Buffer, signature: string): Promise<CardEvent>;
  /** From `since` on, by the provider's clock. Without it, all that the provider still stores. */
  listEvents(since: Date | undefined): Promise<ListedEvent[]>;
  /** From `since` on, by the provider's clock. Without it, all changes. */
  listBalanceTransactions(since: Date | undefined): Promise<BalanceTransaction[]>;
  /** In cents, including money that can't be paid out yet. */
  readBalance(currency: string): Promise<number>;
};
