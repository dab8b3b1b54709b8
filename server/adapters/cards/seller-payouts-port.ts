/** A booking's transfer group, which links the buyer's payment to the transfers to the seller. */
export function transferGroupOf(bookingId: string): string {
  return `booking_${bookingId}`;
}

/** The id of a transfer group's booking. Undefined for a group that the shop didn't create. */
export function bookingOfGroup(group: string): string | undefined {
  return /^booking_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(group)?.[1];
}

/**
 * A seller's account at the provider. Transfers go into the account's balance, which the provider
 * pays out to the seller's bank.
 */
export type SellerAccount = {
  id: string;
  /** Whether money can be transferred to the account. */
  transfersActive: boolean;
  /** Whether the provider pays the account's balance out to the seller's bank. */
  payoutsEnabled: boolean;
  /** Details that the seller must enter now, in the provider's words. */
  requirementsDue: string[];
  /** The provider's code for why transfers or payouts are off, such as `requirements_past_due`. */
  disabledReason: string | undefined;
};

export type SellerAccountOrder = { memberId: string; email: string; idempotencyKey: string };

/**
 * The shop's pages to which the provider returns sellers. A link that was already used or has
 * expired leads to `refreshUrl`, which must create a new link. Other links lead to `returnUrl`.
 */
export type OnboardingOrder = { accountId: string; returnUrl: string; refreshUrl: string };

export type TransferOrder = {
  amountCents: number;
  currency: string;
  accountId: string;
  /** The deal's transfer group, for `findTransfers`. */
  transferGroup: string;
  /**
   * The paid intent's `chargeId`. A transfer can't exceed the amount of its source charge, but
   * succeeds even before the charge's money is available. Without a source charge, the shop's
   * balance must cover the transfer.
   */
  sourceCharge?: string;
  metadata: Record<string, string>;
  /** For a day, a repeated key gets the provider's first response again, even a rejection. */
  idempotencyKey: string;
};

export type Transfer = {
  id: string;
  amountCents: number;
  /** Cents taken back so far. */
  reversedCents: number;
  currency: string;
  accountId: string;
  /** The transfer order's metadata. */
  metadata: Record<string, string>;
  createdAt: Date;
  /** Newest first. */
  reversals: TransferReversal[];
};

export type TransferReversal = {
  id: string;
  amountCents: number;
  metadata: Record<string, string>;
  createdAt: Date;
};

export type SellerBalance = { availableCents: number; pendingCents: number };

export type ReversalOrder = {
  transferId: string;
  amountCents: number;
  metadata: Record<string, string>;
  idempotencyKey: string;
};

/**
 * The reason why no money was moved. `idempotency_key_in_use`: another call with this key is in
 * progress, with an unknown outcome, so read the current state. `other`: see `message`.
 */
export type MoneyRefusal = {
  refused:
    | "balance_insufficient"
    | "transfers_not_allowed"
    | "payouts_not_allowed"
    | "charge_disputed"
    | "charge_already_refunded"
    | "idempotency_key_in_use"
    | "other";
  /** The provider's explanation, for admins. */
  message: string;
};

/** Evidence against a dispute. Empty texts are omitted. */
export type DisputeEvidence = {
  disputeId: string;
  productDescription?: string;
  customerName?: string;
  customerEmail?: string;
  /** The time at which the buyer received the laptop, in human-readable form. */
  serviceDate?: string;
  /** Any other evidence, such as quoted messages and facts about the handover. */
  text?: string;
  /** The id of the picture that `uploadEvidence` returned. */
  fileId?: string;
  idempotencyKey: string;
};

export type EvidencePicture = { jpeg: Buffer; idempotencyKey: string };

/** A payment from a seller's balance at the provider to the seller's bank. */
export type Payout = {
  id: string;
  amountCents: number;
  currency: string;
  /** `paid` can still become `failed`, within about five days. */
  state: "pending" | "in_transit" | "paid" | "failed" | "cancelled";
  createdAt: Date;
  /** The time at which the money is expected at the bank. */
  arrivesAt: Date;
  /** Code and explanation of a failure. The money is then back in the seller's balance. */
  failure: { code: string; message: string } | undefined;
};

/** A page of payouts, newest first. `nextCursor` continues the list. */
export type PayoutPage = { payouts: Payout[]; nextCursor: string | undefined };

/**
 * Payments to sellers. Every method makes a network call. `PROVIDER_UNAVAILABLE` means an unknown
 * outcome (timeout, connection, 5xx). Read the current state before retrying with another key.
 */
export type SellerPayouts = {
  /**
   * Creates a member's account, which has no bank account yet. The same key returns the same
   * account.
   */
  createSellerAccount(order: SellerAccountOrder): Promise<{ accountId: string }>;
  /** Reads an account. Undefined if the account is closed or unknown to the provider. */
  readSellerAccount(accountId: string): Promise<SellerAccount | undefined>;
  /**
   * Creates a link to the provider's page where sellers enter their name and bank account. The link
   * works once, for a few minutes. Sellers can return without finishing, so read the account.
   */
  createOnboardingLink(order: OnboardingOrder): Promise<{ url: string; expiresAt: Date }>;
  /** Moves money from the shop's balance to a seller's. */
  createTransfer(order: TransferOrder): Promise<{ transferId: string } | MoneyRefusal>;
  /** All transfers in a group, newest first. */
  findTransfers(transferGroup: string): Promise<Transfer[]>;
  /** Takes money back from a seller's balance. Rejected if the balance is too low. */
  reverseTransfer(order: ReversalOrder): Promise<{ reversalId: string } | MoneyRefusal>;
  /** A seller's balance in cents, available and pending. Reversals can use both parts. */
  readSellerBalance(accountId: string, currency: string): Promise<SellerBalance>;
  /** Uploads a picture of at most 5 MB for `submitEvidence`. */
  uploadEvidence(picture: EvidencePicture): Promise<{ fileId: string } | MoneyRefusal>;
  /** Sends evidence to the bank. The provider rejects any later evidence. */
  submitEvidence(evidence: DisputeEvidence): Promise<{ submitted: true } | MoneyRefusal>;
  listPayouts(accountId: string, cursor?: string): Promise<PayoutPage>;
};
