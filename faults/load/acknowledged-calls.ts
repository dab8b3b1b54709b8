import type { Acknowledged } from "../invariants.ts";

/** The load clients' log: acknowledged writes, unexpected responses, and counts. */
export type CallLog = {
  acknowledged: Acknowledged[];
  /** Unexpected responses. */
  wrong: string[];
  holds: number;
  payments: number;
  refunds: number;
  disputes: number;
  /**
   * Request counts. `unreachable`: no response. `unavailable`: a response of 503 with Retry-After.
   */
  unreachable: number;
  unavailable: number;
  /** The time of the last acknowledged write, in milliseconds since 1970. */
  lastWrite: number;
};

export function newCallLog(): CallLog {
  const counts = { holds: 0, payments: 0, refunds: 0, disputes: 0, unreachable: 0, unavailable: 0 };
  return { acknowledged: [], wrong: [], ...counts, lastWrite: 0 };
}

/** Records an acknowledged write. */
export function acknowledge(log: CallLog, verb: string, id: string): void {
  log.acknowledged.push({ verb, id });
  log.lastWrite = Date.now();
}
