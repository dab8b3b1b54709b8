import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Limit } from "#contract/call.ts";
import { TooManyRequests } from "../errors.ts";

/** Allows at most `max` events of this `name` per key in `minutes`. */
type RateLimit = Limit & { name: string };

/** Counts events in PostgreSQL, so that all nodes share the limits (decisions/rate-limits). */
export type RateLimiter = {
  /** Throws `TOO_MANY_REQUESTS` beyond the limit. */
  consume(limit: RateLimit, key: string): Promise<void>;
  giveBack(limit: RateLimit, key: string): Promise<void>;
  reset(limit: RateLimit, key: string): Promise<void>;
};

type Settings = { rateLimit: boolean; databaseDirectUrl?: string | undefined };

export function createRateLimiter(
  pool: pg.Pool,
  { rateLimit, databaseDirectUrl }: Settings,
): RateLimiter {
  if (!rateLimit) return { async consume() {}, async giveBack() {}, async reset() {} };
  const client = databaseDirectUrl === undefined ? pool : withoutNames(pool);
  const counters = new Map<string, RateLimiterPostgres>();
  return {
    async consume(limit, key) {
      await counterOf(limit)
        .consume(key)
        .catch((reason: unknown) => {
          if (reason instanceof RateLimiterRes) throw tooMany(reason);
          throw reason;
        });
    },
    async giveBack(limit, key) {
      await counterOf(limit).reward(key);
    },
    async reset(limit, key) {
      await counterOf(limit).delete(key);
    },
  };

  function counterOf({ name, max, minutes }: RateLimit): RateLimiterPostgres {
    const known = counters.get(name);
    if (known) return known;
    const counter = new RateLimiterPostgres({
      storeClient: client,
      storeType: "pool",
      tableName: "rate_limits",
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: max,
      duration: minutes * 60,
    });
    counters.set(name, counter);
    return counter;
  }
}

/** Removes the library's statement names, because prepared statements fail with a pooler. */
function withoutNames(pool: pg.Pool): Pick<pg.Pool, "query"> {
  const query = ({ text, values = [] }: pg.QueryConfig) => pool.query(text, values);
  return { query: query as pg.Pool["query"] };
}

function tooMany({ msBeforeNext }: RateLimiterRes): TooManyRequests {
  return new TooManyRequests(Math.max(1, Math.ceil(msBeforeNext / 1_000)));
}

/** Returns an IPv4 address itself, or an IPv6 address's /64 network. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // Without the zone, whose names the parser may not know.
  const parsed = ipaddr.IPv6.parse(address.replace(/%.*/, ""));
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(":")}::/64`;
}
