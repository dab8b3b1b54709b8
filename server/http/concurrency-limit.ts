import type { FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../db/rate-limiter.ts";
import { Overloaded } from "../errors.ts";

/**
 * Limits the concurrent requests of an address or IPv6 /64 network. Excess requests are rejected
 * before their body is read.
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
    // `close` is emitted after the last byte of the response, or when the client disconnects.
    raw.once("close", () => {
      const left = (underWay.get(network) ?? 1) - 1;
      if (left > 0) underWay.set(network, left);
      else underWay.delete(network);
    });
  };
}
