import type { Cards } from "./port.ts";

/** A card provider in test mode, where payments need no browser. */
export type CardsUnderTest = {
  cards: Cards;
  /** Pays with a card that is accepted or declined, or whose holder disputes the payment. */
  pay(intentId: string, card: "accepted" | "declined" | "disputed"): Promise<void>;
  /** Number of refunds of an intent, and their sum in cents. */
  refundsOf(intentId: string): Promise<{ count: number; cents: number }>;
  /** A webhook request from the provider about a paid intent. */
  signedEvent(intentId: string): { bytes: Buffer; signature: string };
  /** Fills in the onboarding page at a link. Returns the URL of the next page. */
  onboard(link: string, answer?: { accountNumber?: string; unfinished?: boolean }): Promise<string>;
  /** Moves the provider's clock forward. */
  passDays(days: number): Promise<void>;
  /** Makes the provider reject transfers to a seller's account. */
  rejectTransfers(accountId: string): Promise<void>;
  /** A webhook request from the provider about a seller's account. */
  signedAccountEvent(accountId: string): { bytes: Buffer; signature: string };
  /** The same provider, but unreachable. */
  unreachable: Cards;
};
