/** Links the buyer's payment to the transfers to the seller. */
export function transferGroupOf(bookingId: string): string {
  return `booking_${bookingId}`;
}

/** Undefined for a group that the shop didn't create. */
export function bookingOfGroup(group: string): string | undefined {
  return /^booking_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(group)?.[1];
}

/** Transfers go into the account's balance, which the provider pays out to the seller's bank. */
export type SellerAccount = {
  id: string;
  transfersActive: boolean;
  payoutsEnabled: boolean;
  /** What the seller must enter now, in the provider's words. */
  requirementsDue: string[];
};

export type SellerAccountOrder = { memberId: string; email: string; idempotencyKey: string };

/** A link that was already used or has expired leads to `refreshUrl`, which must create another. */
export type OnboardingOrder = { accountId: string; returnUrl: string; refreshUrl: string };

export type TransferOrder = {
  amountCents: number;
  currency: string;
  accountId: string;
  transferGroup: string;
  /**
   * The paid intent's `chargeId`. The transfer can't exceed the charge, but succeeds before the
   * charge's money is available. Without it, the shop's balance must cover the transfer.
   */
  sourceCharge?: string;
  metadata: Record<string, string>;
  /** For a day, a repeated key gets the provider's first response again, even a rejection. */
  idempotencyKey: string;
};

export type Transfer = {
  id: string;
  amountCents: number;
  reversedCents: number;
  currency: string;
  accountId: string;
  metadata: Record<string, string>;
  /** Newest first. */
  reversals: TransferReversal[];
};

export type TransferReversal = {
  id: string;
  amountCents: number;
  metadata: Record<string, string>;
};

export type SellerBalance = { availableCents: number; pendingCents: number };

export type ReversalOrder = {
  transferId: string;
  amountCents: number;
  metadata: Record<string, string>;
  idempotencyKey: string;
};

/** `idempotency_key_in_use`: another call is in progress and may succeed, so read the state. */
export type MoneyRefusal = {
  refused:
    | "balance_insufficient"
    | "transfers_not_allowed"
    | "payouts_not_allowed"
    | "charge_disputed"
    | "charge_already_refunded"
    | "idempotency_key_in_use"
    | "other";
  /** For admins, in the provider's words. */
  message: string;
};

/** Empty texts are omitted. */
export type DisputeEvidence = {
  disputeId: string;
  productDescription?: string;
  customerName?: string;
  customerEmail?: string;
  /** When the buyer received the laptop, in human-readable form. */
  serviceDate?: string;
  /** Such as quoted messages and facts about the handover. */
  text?: string;
  /** From `uploadEvidence`. */
  fileId?: string;
  idempotencyKey: string;
};

export type EvidencePicture = { jpeg: Buffer; idempotencyKey: string };

export type Payout = {
  id: string;
  amountCents: number;
  currency: string;
  /** `paid` can still become `failed`, within about five days. */
  state: "pending" | "in_transit" | "paid" | "failed" | "cancelled";
  createdAt: Date;
  arrivesAt: Date;
  /** After a failure, the money is back in the seller's balance. */
  failure: { code: string; message: string } | undefined;
};

/** Newest first. `nextCursor` continues the list. */
export type PayoutPage = { payouts: Payout[]; nextCursor: string | undefined };

/** `PROVIDER_UNAVAILABLE` means an unknown outcome: read the state before using another key. */
export type SellerPayouts = {
  /** The account has no bank account yet. The same key returns the same account. */
  createSellerAccount(order: SellerAccountOrder): Promise<{ accountId: string }>;
  /** Undefined if the account is closed or unknown to the provider. */
  readSellerAccount(accountId: string): Promise<SellerAccount | undefined>;
  /** Works once, for a few minutes. Sellers can return without finishing, so read the account. */
  createOnboardingLink(order: OnboardingOrder): Promise<{ url: string }>;
  createTransfer(order: TransferOrder): Promise<{ transferId: string } | MoneyRefusal>;
  /** Newest first. */
  findTransfers(transferGroup: string): Promise<Transfer[]>;
  /** Rejected if the seller's balance is too low. */
  reverseTransfer(order: ReversalOrder): Promise<{ reversalId: string } | MoneyRefusal>;
  /** In cents. Reversals can use both parts. */
  readSellerBalance(accountId: string, currency: string): Promise<SellerBalance>;
  /** At most 5 MB, for `submitEvidence`. */
  uploadEvidence(picture: EvidencePicture): Promise<{ fileId: string } | MoneyRefusal>;
  /** The provider rejects any later evidence. */
  submitEvidence(evidence: DisputeEvidence): Promise<{ submitted: true } | MoneyRefusal>;
  listPayouts(accountId: string, cursor?: string): Promise<PayoutPage>;
};
