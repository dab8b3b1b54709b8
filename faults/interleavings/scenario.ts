import type { CardProvider } from "#server/testing/cards.ts";
import type { Person } from "#server/testing/people.ts";
import type { Executor, Outcome } from "./executor.ts";

/** The members, products and ids that the two verbs work on. */
export type Scenario = {
  desk: CardProvider;
  seller: Person;
  buyer: Person;
  other: Person;
  admin: Person;
  product: string;
  /** Another product from the same seller. */
  second: string;
  booking: string;
  intent: string;
  payment: string;
  /** The handover code that the buyer received. */
  code: string;
  /** A booking for the second product. */
  secondBooking: string;
  /** The buyer's offer, and the meeting that the buyer or seller proposed. */
  offer: string;
  meeting: string;
};

export type Verb = (executor: Executor, scenario: Scenario, key?: string) => Promise<Outcome>;
