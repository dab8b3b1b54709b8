import type { Cards } from "./port.ts";

/** A card provider in test mode, where payments need no browser. */
export type CardsUnderTest = {
  cards: Cards;
  pay(intentId: string, card: "accepted" | "declined" | "disputed"): Promise<void>;
  refundsOf(intentId: string): Promise<{ count: number; cents: number }>;
  /** A webhook request about a paid intent. */
  signedEvent(intentId: string): { bytes: Buffer; signature: string };
  /** Returns the URL of the next page. */
  onboard(link: string, answer?: { accountNumber?: string; unfinished?: boolean }): Promise<string>;
  passDays(days: number): Promise<void>;
  rejectTransfers(accountId: string): Promise<void>;
  /** A webhook request about a seller's account. */
  signedAccountEvent(accountId: string): { bytes: Buffer; signature: string };
  unreachable: Cards;
};
