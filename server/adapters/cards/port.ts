/** A payment intent at the provider. */
export type Intent = {
  id: string;
  clientSecret: string;
  /** `open` if it can still be paid. */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  /** Refunded so far, by us or in the provider's dashboard; set by `findIntent` only, otherwise 0. */
  refundedCents: number;
  currency: string;
  bookingId: string | undefined;
};

export type IntentOrder = {
  bookingId: string;
  amountCents: number;
  currency: string;
  /** Receives the provider's receipt. */
  email: string;
};

/** A webhook event with a valid signature; payments and refunds name their intent. */
export type CardEvent = { id: string; type: string; intentId: string | undefined };

/** The card payment provider. Every method except `readEvent` makes a network call; it refuses `PROVIDER_UNAVAILABLE` if that fails. */
export type Cards = {
  /** What the buyer's browser needs to load the provider's script; null for the provider's default URL. */
  browser: { publishableKey: string; scriptUrl: string | null };
  /** Creates the intent of a booking; repeated calls return the same one. */
  openIntent(order: IntentOrder): Promise<Intent>;
  /** An intent the provider does not know is returned as `cancelled`. */
  findIntent(intentId: string): Promise<Intent>;
  /** Cancels an open intent; returns its state afterwards, which is `succeeded` if it was paid before. */
  cancelIntent(intentId: string): Promise<Intent>;
  /** Refunds the whole amount; repeated calls refund once and return the same refund's id. */
  refund(intentId: string): Promise<string>;
  /** Verifies and parses a webhook request body. Refuses `BAD_SIGNATURE`. */
  readEvent(bytes: Buffer, signature: string): Promise<CardEvent>;
};
