import { providerCalls } from "../metrics/provider-calls.ts";
import { type MeasuredService, measureCall } from "./measure-call.ts";

/** Throws beyond `max` calls of a provider at a time, so that a slow one can't hold all connections and memory. */
export function limitCalls(max: number, measured: MeasuredService) {
  let running = 0;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (running >= max) {
      providerCalls.publish({ service: measured.service, outcome: "not_sent", seconds: 0 });
      throw new TooManyCalls(`${max} calls already wait for an answer.`);
    }
    running += 1;
    try {
      return await measureCall(measured, call);
    } finally {
      running -= 1;
    }
  };
}

export class TooManyCalls extends Error {}
