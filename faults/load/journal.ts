import type { Acknowledged } from "../invariants.ts";

/** What clients were told, and how often they had to ask. */
export type Journal = {
  acknowledged: Acknowledged[];
  /** Answers that nobody should get, whatever is broken. */
  wrong: string[];
  holds: number;
  payments: number;
  refunds: number;
  /** Askings that met nobody, and those that were told to come back. */
  unreachable: number;
  unavailable: number;
  /** When a write was last acknowledged, in milliseconds since 1970. */
  lastWrite: number;
};

export function newJournal(): Journal {
  const counts = { holds: 0, payments: 0, refunds: 0, unreachable: 0, unavailable: 0 };
  return { acknowledged: [], wrong: [], ...counts, lastWrite: 0 };
}

/** Notes a write that a client was told is done. */
export function acknowledge(journal: Journal, verb: string, id: string): void {
  journal.acknowledged.push({ verb, id });
  journal.lastWrite = Date.now();
}
