import { isIPv6 } from "node:net";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Limit } from "#contract/call.ts";
import { TooManyRequests } from "../errors.ts";

/** What has a limit: its name, and how often one member, address or account may do it. */
export type RateLimit = Limit & { name: string };

/** How often things are done, counted in PostgreSQL, so that a limit holds across nodes (decision 0011). */
export type RateLimiter = {
  /** Counts one more of it for `who`. Refuses `TOO_MANY_REQUESTS` beyond the limit. */
  consume(limited: RateLimit, who: string): Promise<void>;
  /** Starts to count anew. */
  reset(limited: RateLimit, who: string): Promise<void>;
};

/** Limits on this pool; where they are off nothing is counted. */
export function createRateLimiter(
  pool: pg.Pool,
  { rateLimit }: { rateLimit: boolean },
): RateLimiter {
  if (!rateLimit) return { async consume() {}, async reset() {} };
  const counters = new Map<string, RateLimiterPostgres>();
  return {
    async consume(limited, who) {
      await counterOf(limited)
        .consume(who)
        .catch((reason: unknown) => {
          if (reason instanceof RateLimiterRes) throw tooMany(reason);
          throw reason;
        });
    },
    async reset(limited, who) {
      await counterOf(limited).delete(who);
    },
  };

  function counterOf({ name, most, minutes }: RateLimit): RateLimiterPostgres {
    const counter = counters.get(name) ?? newCounter(pool, { name, most, minutes });
    counters.set(name, counter);
    return counter;
  }
}

function newCounter(pool: pg.Pool, { name, most, minutes }: RateLimit): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    // Old rows go with everything else that is old (`clean-up.ts`).
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: most,
    duration: minutes * 60,
  });
}

function tooMany({ msBeforeNext }: RateLimiterRes): TooManyRequests {
  return new TooManyRequests(Math.max(1, Math.ceil(msBeforeNext / 1_000)));
}

/** The address limits count by: of IPv6 the network of 64 bits, which is what one customer is given. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [before = "", after] = address.toLowerCase().split("::");
  const head = before.split(":");
  const tail = after?.split(":") ?? [];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const groups = after === undefined ? head : [...head, ...zeros, ...tail];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group || "0", 16).toString(16));
  return `${network.join(":")}::/64`;
}
