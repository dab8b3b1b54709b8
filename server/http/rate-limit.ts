import type { FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import type { Call } from "#contract/call.ts";
import { networkOf } from "../db/rate-limiter.ts";
import type { Deps } from "../deps.ts";

/** The number of members that may share an address, such as a family, an office or a school. */
const membersPerAddress = 10;

/** Applies the rate limit of a call, for each member and for each address. */
export function rateLimitHook(call: Call, { rateLimiter }: Deps): preParsingAsyncHookHandler {
  const { limit } = call;
  if (!limit) return async () => {};
  const name = `${call.method} ${call.path}`;
  const ofAddress = {
    name: `${name} by address`,
    most: limit.most * membersPerAddress,
    minutes: limit.minutes,
  };
  return async ({ caller, ip }) => {
    // The member's limit comes first: a rejected member must not use up the limit of their address.
    if (caller) await rateLimiter.consume({ name, ...limit }, idOf(caller));
    await rateLimiter.consume(ofAddress, networkOf(ip));
  };
}

function idOf(caller: NonNullable<FastifyRequest["caller"]>): string {
  return "id" in caller ? caller.id : caller.uid;
}
