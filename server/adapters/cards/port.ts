import type { DisputeState } from "#contract/life-cycle.ts";

/** Only `findIntent` reads refunds, disputes and the card's fingerprint. */
export type Intent = {
  id: string;
  clientSecret: string;
  /** `open`: can still be paid. */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  /** Refunded so far. Includes failed refunds if the provider lists only some refunds. */
  refundedCents: number;
  refunds: Refund[];
  disputes: Dispute[];
  currency: string;
  bookingId: string | undefined;
  /** Used as a transfer's `sourceCharge`. Undefined while the intent is unpaid. */
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

type IntentOrder = {
  bookingId: string;
  amountCents: number;
  currency: string;
  /** Receives the provider's receipt. */
  email: string;
  /** For bank statements. */
  shopName?: string;
};

/** For a day, a repeated key gets the provider's first response again, even a rejection. */
type MoneyOrder = {
  amountCents: number;
  metadata: Record<string, string>;
  idempotencyKey: string;
};

/** Contains no states: they must be read from the provider. */
export type CardEvent = {
  id: string;
  type: string;
  intentId: string | undefined;
  /** The seller's account whose capabilities, requirements or payouts changed. */
  accountId: string | undefined;
  /** The transfer group of a reversed transfer. */
  transferGroup: string | undefined;
  /** The event's API version, if it differs from the shop's. */
  otherApiVersion: string | undefined;
};

export type BalanceTransaction = {
  id: string;
  type: string;
  /** The id of the payment intent, refund or other cause; without one, the transaction's `id`. */
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
  /** The intent has the booking's transfer group. For a day, equal orders get the same intent. */
  openIntent(order: IntentOrder): Promise<Intent>;
  /** An intent unknown to the provider is returned as `cancelled`. */
  findIntent(intentId: string): Promise<Intent>;
  /** Returns the new state, which is `succeeded` if the intent was already paid. */
  cancelIntent(intentId: string): Promise<Intent>;
  refund(order: MoneyOrder & { intentId: string }): Promise<Refund | MoneyRefusal>;
  /** Uploads a picture of at most 5 MB for `submitEvidence`. */
  uploadEvidence(picture: EvidencePicture): Promise<{ fileId: string } | MoneyRefusal>;
  /** The provider rejects any later evidence. */
  submitEvidence(evidence: DisputeEvidence): Promise<{ submitted: true } | MoneyRefusal>;
  /** Verifies and parses a webhook request's body. Throws `BAD_SIGNATURE` or `BAD_REQUEST`. */
  readEvent(bytes: Buffer, signature: string): Promise<CardEvent>;
  /** From `since` on, by the provider's clock; without `since`, all that the provider stores. */
  listEvents(since: Date | undefined): Promise<ListedEvent[]>;
  /** From `since` on, by the provider's clock; without `since`, all changes. */
  listBalanceTransactions(since: Date | undefined): Promise<BalanceTransaction[]>;
  /** In cents, including money that can't be paid out yet. */
  readBalance(currency: string): Promise<number>;
};

/** Returns the group that links the buyer's payment to the transfers to the seller. */
export function transferGroupOf(bookingId: string): string {
  return `booking_${bookingId}`;
}

/** Undefined for a group that the shop didn't create. */
export function bookingOfGroup(group: string): string | undefined {
  return /^booking_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(group)?.[1];
}

/** Transfers go into the account's balance, which the provider pays out to the seller's bank. */
export type SellerAccount = {
  transfersActive: boolean;
  payoutsEnabled: boolean;
  /** Whether the seller must enter something now. */
  hasRequirementsDue: boolean;
};

type SellerAccountOrder = { memberId: string; email: string; idempotencyKey: string };

/** A link that was already used or has expired leads to `refreshUrl`, which must create another. */
type OnboardingOrder = { accountId: string; returnUrl: string; refreshUrl: string };

export type TransferOrder = MoneyOrder & {
  currency: string;
  accountId: string;
  transferGroup: string;
  /**
   * The paid intent's `chargeId`. The transfer can't exceed the charge, but succeeds before the
   * charge's money is available. Without a charge, the shop's balance must cover the transfer.
   */
  sourceCharge?: string;
};

export type Transfer = {
  id: string;
  amountCents: number;
  reversedCents: number;
  metadata: Record<string, string>;
  /** Newest first. */
  reversals: { id: string; amountCents: number; metadata: Record<string, string> }[];
};

type SellerBalance = { availableCents: number; pendingCents: number };

/** `idempotency_key_in_use`: another call is in progress and may succeed, so read the state. */
export type MoneyRefusal = {
  refused:
    | "balance_insufficient"
    | "transfers_not_allowed"
    | "charge_disputed"
    | "charge_already_refunded"
    | "idempotency_key_in_use"
    | "other";
  /** For admins, in the provider's words. */
  message: string;
};

export type DisputeEvidence = {
  disputeId: string;
  productDescription?: string;
  customerName?: string;
  customerEmail?: string;
  /** When the buyer received the laptop, in human-readable form. */
  serviceDate?: string;
  text?: string;
  fileId?: string;
  idempotencyKey: string;
};

type EvidencePicture = { jpeg: Buffer; idempotencyKey: string };

export type Payout = {
  id: string;
  amountCents: number;
  /** `paid` can still become `failed`, within about five days. */
  state: "pending" | "in_transit" | "paid" | "failed" | "cancelled";
  createdAt: Date;
  arrivesAt: Date;
  /** After a failure, the money is back in the seller's balance. */
  failureCode: string | undefined;
};

/** `PROVIDER_UNAVAILABLE` means an unknown outcome: read the state before using another key. */
export type SellerPayouts = {
  /** The new account has no bank details yet. The same key returns the same account. */
  createSellerAccount(order: SellerAccountOrder): Promise<{ accountId: string }>;
  /** Undefined if the account is closed or unknown to the provider. */
  readSellerAccount(accountId: string): Promise<SellerAccount | undefined>;
  /** The link works once, for a few minutes. Sellers may return without finishing. */
  createOnboardingLink(order: OnboardingOrder): Promise<{ url: string }>;
  createTransfer(order: TransferOrder): Promise<{ transferId: string } | MoneyRefusal>;
  /** Newest first. */
  findTransfers(transferGroup: string): Promise<Transfer[]>;
  /** Rejected if the seller's balance is too low. */
  reverseTransfer(
    order: MoneyOrder & { transferId: string },
  ): Promise<{ reversalId: string } | MoneyRefusal>;
  /** Reversals can use available and pending money. */
  readSellerBalance(accountId: string, currency: string): Promise<SellerBalance>;
  /** The newest 50, newest first. */
  listPayouts(accountId: string): Promise<Payout[]>;
};
