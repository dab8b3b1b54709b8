/** The transfer group of a booking: its payment, and the transfers from it. */
export function transferGroupOf(bookingId: string): string {
  return `booking_${bookingId}`;
}

/** The booking of a transfer group. Undefined for a group that is not ours. */
export function bookingOfGroup(group: string): string | undefined {
  return /^booking_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(group)?.[1];
}

/**
 * A seller's account at the provider. Transfers go into its balance, and the provider pays that out
 * to the seller's bank.
 */
export type SellerAccount = {
  id: string;
  /** Whether money can be transferred to it. */
  transfersActive: boolean;
  /** Whether the provider pays its balance out to the seller's bank. */
  payoutsEnabled: boolean;
  /** Details the seller owes the provider, in the provider's words. Empty if none are due now. */
  requirementsDue: string[];
  /** The provider's code for why transfers or payouts are off, such as `requirements_past_due`. */
  disabledReason: string | undefined;
};

export type SellerAccountOrder = { memberId: string; email: string; idempotencyKey: string };

/**
 * Addresses of the shop. `refreshUrl` opens if the link was already used or has expired, and must
 * create a new link.
 */
export type OnboardingOrder = { accountId: string; returnUrl: string; refreshUrl: string };

export type TransferOrder = {
  amountCents: number;
  currency: string;
  accountId: string;
  /** Groups what belongs to one deal, for `findTransfers`. */
  transferGroup: string;
  /**
   * `chargeId` of the paid intent, whose amount is the maximum. The transfer succeeds even before
   * the charge's money is available. Without it, the transfer needs available money in the shop's
   * balance.
   */
  sourceCharge?: string;
  metadata: Record<string, string>;
  /** The provider repeats its first answer to a key, even a refusal, and forgets it after a day. */
  idempotencyKey: string;
};

export type Transfer = {
  id: string;
  amountCents: number;
  /** Taken back so far. */
  reversedCents: number;
  currency: string;
  accountId: string;
  /** As in the order. */
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
 * Why no money was moved. `idempotency_key_in_use`: another call with this key is under way. Its
 * outcome is unknown, so look it up. `other`: see the message.
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
  /** The provider's sentence, for admins. */
  message: string;
};

/** Evidence against a dispute. Empty texts are left out. */
export type DisputeEvidence = {
  disputeId: string;
  productDescription?: string;
  customerName?: string;
  customerEmail?: string;
  /** When the buyer received the laptop, in a human-readable form. */
  serviceDate?: string;
  /** Everything else, such as messages and the handover. */
  text?: string;
  /** The picture that was uploaded as evidence. */
  fileId?: string;
  idempotencyKey: string;
};

export type EvidencePicture = { jpeg: Buffer; idempotencyKey: string };

/** A payment by the provider from a seller's balance to their bank. */
export type Payout = {
  id: string;
  amountCents: number;
  currency: string;
  /** `paid` may still become `failed`, within about five days. */
  state: "pending" | "in_transit" | "paid" | "failed" | "cancelled";
  createdAt: Date;
  /** When it is expected at the bank. */
  arrivesAt: Date;
  /** The provider's code and sentence if it failed. The money is back in the seller's balance. */
  failure: { code: string; message: string } | undefined;
};

/** Newest first. `nextCursor` continues the list. */
export type PayoutPage = { payouts: Payout[]; nextCursor: string | undefined };

/**
 * Payments to sellers. Every method makes a network call. `PROVIDER_UNAVAILABLE` means that the
 * outcome is unknown (timeout, connection, 5xx). Look it up before trying again with another key.
 */
export type SellerPayouts = {
  /** Creates a member's account, without a bank yet. The same key returns the same account. */
  createSellerAccount(order: SellerAccountOrder): Promise<{ accountId: string }>;
  /** Undefined if the provider does not know the account or it was closed. */
  readSellerAccount(accountId: string): Promise<SellerAccount | undefined>;
  /**
   * The provider's page where sellers enter name and bank. The link works once, for a few minutes.
   * The seller's return proves nothing, so read the account.
   */
  createOnboardingLink(order: OnboardingOrder): Promise<{ url: string; expiresAt: Date }>;
  /** Moves money from the shop's balance to a seller's. */
  createTransfer(order: TransferOrder): Promise<{ transferId: string } | MoneyRefusal>;
  /** All transfers of a group, newest first. */
  findTransfers(transferGroup: string): Promise<Transfer[]>;
  /** Takes money back from a seller's balance. Refused if the balance is too low. */
  reverseTransfer(order: ReversalOrder): Promise<{ reversalId: string } | MoneyRefusal>;
  /** A seller's balance in cents, available and pending. Reversals take from either. */
  readSellerBalance(accountId: string, currency: string): Promise<SellerBalance>;
  /** Uploads a picture of at most 5 MB for `submitEvidence`. */
  uploadEvidence(picture: EvidencePicture): Promise<{ fileId: string } | MoneyRefusal>;
  /** Sends evidence to the bank. This works only once: later evidence is refused. */
  submitEvidence(evidence: DisputeEvidence): Promise<{ submitted: true } | MoneyRefusal>;
  listPayouts(accountId: string, cursor?: string): Promise<PayoutPage>;
};
