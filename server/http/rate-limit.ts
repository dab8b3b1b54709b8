import type { FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import type { Call } from "#contract/call.ts";
import { networkOf } from "../db/rate-limits.ts";
import type { Deps } from "../deps.ts";

/** How many members one address may stand for: a family, an office, a school. */
const perAddress = 10;

/** Counts a call that has a limit, by who makes it and by the address it comes from. */
export function rateLimitHook(call: Call, { rateLimiter }: Deps): preParsingAsyncHookHandler {
  const { limit } = call;
  if (!limit) return async () => {};
  const name = `${call.method} ${call.path}`;
  const ofAddress = {
    name: `${name} by address`,
    most: limit.most * perAddress,
    minutes: limit.minutes,
  };
  return async ({ caller, ip }) => {
    // Whoever is refused themselves uses up nothing of the others at their address.
    if (caller) await rateLimiter.consume({ name, ...limit }, idOf(caller));
    await rateLimiter.consume(ofAddress, networkOf(ip));
  };
}

function idOf(caller: NonNullable<FastifyRequest["caller"]>): string {
  return "id" in caller ? caller.id : caller.uid;
}
