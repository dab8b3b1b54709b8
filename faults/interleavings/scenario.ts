import type { CardProvider } from "#server/testing/cards.ts";
import type { Person } from "#server/testing/people.ts";
import type { Executor, Outcome } from "./executor.ts";

export type Scenario = {
  desk: CardProvider;
  seller: Person;
  buyer: Person;
  other: Person;
  admin: Person;
  product: string;
  second: string;
  booking: string;
  intent: string;
  payment: string;
  code: string;
  secondBooking: string;
  offer: string;
  meeting: string;
};

export type Verb = (executor: Executor, scenario: Scenario) => Promise<Outcome>;
