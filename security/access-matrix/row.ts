import type { Table } from "#contract/all-calls.ts";
import type { Person } from "#server/testing/people.ts";
import type { Kind } from "./actors.ts";
import type { Fixtures } from "./fixtures.ts";

/** The parts of a call's request. */
export type Parts = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** In place of a JSON body. */
  payload?: { bytes: Buffer; type: string };
};

/** How to make a call, and who owns its object. */
export type Row = {
  /** The kinds that can own the object. Undefined if no one owns it. */
  owners?: Kind[];
  /** The kinds allowed on everyone's objects. */
  others?: Kind[];
  /** The refusal's status; 404 by default. */
  refusal?: number;
  /** The kinds refused on their own objects. */
  never?: Partial<Record<Kind, number>>;
  /** Whether it shows deals, with the other party's contact. */
  tellsOtherSide?: true;
  /** Makes a request that succeeds on an object of the owner. */
  ask(fixtures: Fixtures, owner: Person): Promise<Parts>;
};

/** Rows of some calls. */
export type Rows = Partial<Record<keyof Table, Row>>;

export const everybody: Kind[] = ["buyer", "seller", "admin"];
export const byEmail = { owners: everybody, others: ["admin"] satisfies Kind[] };
export const nothing = async () => ({});
