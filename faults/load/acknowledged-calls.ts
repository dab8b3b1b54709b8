import type { Acknowledged } from "../invariants.ts";

export type CallLog = {
  acknowledged: Acknowledged[];
  /** Unexpected responses. */
  wrong: string[];
  holds: number;
  payments: number;
  refunds: number;
  disputes: number;
  /** `unreachable`: requests without a response. `unavailable`: 503 with Retry-After. */
  unreachable: number;
  unavailable: number;
  /** When the last write was acknowledged, in milliseconds since 1970. */
  lastWrite: number;
};

export function newCallLog(): CallLog {
  const counts = { holds: 0, payments: 0, refunds: 0, disputes: 0, unreachable: 0, unavailable: 0 };
  return { acknowledged: [], wrong: [], ...counts, lastWrite: 0 };
}

export function acknowledge(log: CallLog, verb: string, id: string): void {
  log.acknowledged.push({ verb, id });
  log.lastWrite = Date.now();
}
