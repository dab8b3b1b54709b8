import type { FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../db/rate-limiter.ts";
import { Overloaded } from "../errors.ts";

/**
 * For an `onRequest` hook: lets one address, or IPv6 network of 64 bits, have at most `max` requests under way. Further
 * ones are refused with `UNAVAILABLE` before their body is read, so that a burst costs little.
 */
export function concurrencyLimit(
  max: number,
  { message, retryAfter }: { message: string; retryAfter: number },
): (request: FastifyRequest, reply: FastifyReply) => void {
  const underWay = new Map<string, number>();
  return ({ ip }, { raw }) => {
    const network = networkOf(ip);
    const count = underWay.get(network) ?? 0;
    if (count >= max) throw new Overloaded(message, retryAfter);
    underWay.set(network, count + 1);
    // Emitted after the last byte as well as when the client goes away before it.
    raw.once("close", () => {
      const left = (underWay.get(network) ?? 1) - 1;
      if (left > 0) underWay.set(network, left);
      else underWay.delete(network);
    });
  };
}
