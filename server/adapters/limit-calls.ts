import type { Service } from "#contract/health.ts";
import { type CallOutcome, providerCalls } from "../metrics/provider-calls.ts";

type MeasuredService = {
  service: Service;
  /** Whether the service rejected the call. All other errors are failures. */
  isRefusal?: (error: unknown) => boolean;
};

export async function measureCall<T>(
  { service, isRefusal }: MeasuredService,
  call: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const publish = (outcome: CallOutcome) =>
    providerCalls.publish({ service, outcome, seconds: (performance.now() - began) / 1_000 });
  try {
    const answer = await call();
    publish("answered");
    return answer;
  } catch (error) {
    publish(isRefusal?.(error) ? "refused" : "failed");
    throw error;
  }
}

/** Keeps a slow provider from exhausting connections and memory. Throws `TooManyCalls`. */
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

/** Aborts a response whose body exceeds `maxBytes`. */
export function limitedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    let size = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= maxBytes) controller.enqueue(chunk);
        else controller.error(new Error(`The answer has more than ${maxBytes} bytes.`));
      },
    });
    return new Response(response.body.pipeThrough(limit), response);
  };
}
