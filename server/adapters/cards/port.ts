/** A payment intent as the provider says it stands. */
export type Intent = {
  id: string;
  clientSecret: string;
  /** `open`: can still be paid. */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  /** What of it was given back so far, by us or in the provider's own dashboard; 0 unless found by `findIntent`. */
  refundedCents: number;
  currency: string;
  bookingId: string | undefined;
};

export type IntentOrder = {
  bookingId: string;
  amountCents: number;
  currency: string;
  /** Where the provider sends its receipt. */
  email: string;
};

/** An event of the provider whose signature held; of money that came or went back, it names the intent. */
export type CardEvent = { id: string; type: string; intentId: string | undefined };

/** The card payment provider. Every method but `readEvent` is a call over the network and may fail. */
export type Cards = {
  /** What the buyer's browser needs to speak to the provider itself; a script of its own, or the provider's. */
  browser: { publishableKey: string; scriptUrl: string | null };
  /** The intent of a booking; asked again, the same one. */
  openIntent(order: IntentOrder): Promise<Intent>;
  findIntent(intentId: string): Promise<Intent>;
  /** Cancels an intent that is still open; answers how it stands after that, which may be succeeded. */
  cancelIntent(intentId: string): Promise<Intent>;
  /** Gives the whole amount back, once however often asked; answers the refund's id. */
  refund(intentId: string): Promise<string>;
  /** Reads an event from the bytes it came in; refuses `BAD_SIGNATURE`. */
  readEvent(bytes: Buffer, signature: string): CardEvent;
};
