import type { onRequestHookHandler, onResponseHookHandler } from "fastify";
import { networkOf } from "../db/rate-limiter.ts";
import { Overloaded } from "../errors.ts";

type ConcurrencyLimit = { onRequest: onRequestHookHandler; onResponse: onResponseHookHandler };

/**
 * Route hooks that let one address, or IPv6 network of 64 bits, have at most `max` requests at a time.
 * More are rejected with `UNAVAILABLE` before their body is read, so that a burst costs little.
 */
export function concurrencyLimit(
  max: number,
  { message, retryAfter }: { message: string; retryAfter: number },
): ConcurrencyLimit {
  const running = new Map<string, Set<string>>();
  return {
    onRequest: async ({ id, ip }) => {
      const network = networkOf(ip);
      const requests = running.get(network) ?? new Set();
      if (requests.size >= max) throw new Overloaded(message, retryAfter);
      running.set(network, requests.add(id));
    },
    onResponse: async ({ id, ip }) => {
      const network = networkOf(ip);
      const requests = running.get(network);
      requests?.delete(id);
      if (requests?.size === 0) running.delete(network);
    },
  };
}
