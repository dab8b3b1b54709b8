import { Socket } from "node:net";
import type { FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import type { Call } from "#contract/call.ts";
import type { signInLimit } from "../adapters/identity/port.ts";
import { networkOf } from "../db/rate-limiter.ts";
import type { Deps } from "../deps.ts";
import { Overloaded } from "../errors.ts";
import { RunningCounts } from "../running-counts.ts";

export const globalRateLimit = {
  max: 1_000,
  timeWindow: "1 minute",
  // Exempts the server's own calls while it renders a page, which was already counted.
  allowList: ({ socket }: FastifyRequest) => !(socket instanceof Socket),
};

/** The number of members expected to share a network, as in an office or school. */
const membersPerAddress = 10;

/** Applies a call's limit (`contract/`) to each member, and ten times the limit to each network. */
export function rateLimitHook(call: Call, { rateLimiter }: Deps): preParsingAsyncHookHandler {
  const { limit } = call;
  if (!limit) return async () => {};
  const name = `${call.method} ${call.path}`;
  const networkLimit = {
    name: `${name} by address`,
    max: limit.max * membersPerAddress,
    minutes: limit.minutes,
  };
  return async ({ caller, ip }) => {
    // The member's limit comes first: a rejected member must not use up the network's limit.
    if (caller) await rateLimiter.consume({ name, ...limit }, idOf(caller));
    await rateLimiter.consume(networkLimit, networkOf(ip));
  };
}

function idOf(caller: NonNullable<FastifyRequest["caller"]>): string {
  return "id" in caller ? caller.id : caller.uid;
}

/** Limits concurrent requests for each IPv4 address or IPv6 /64 network. Throws `Overloaded`. */
export function concurrencyLimit({ max, message, retryAfter }: typeof signInLimit) {
  const underWay = new RunningCounts();
  return ({ ip }: FastifyRequest, { raw }: FastifyReply): void => {
    const network = networkOf(ip);
    if (underWay.of(network) >= max) throw new Overloaded(message, retryAfter);
    // `close` is emitted after the last byte of the response, or when the client disconnects.
    raw.once("close", underWay.begin(network));
  };
}
