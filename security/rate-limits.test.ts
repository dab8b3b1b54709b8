import { describe, expect } from "vitest";
import { table } from "#contract/all-calls.ts";
import { bookProduct } from "#contract/bookings.ts";
import type { Call } from "#contract/call.ts";
import { reportProduct } from "#contract/reports.ts";
import { createRateLimiter, networkOf } from "#server/db/rate-limiter.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { listing, orderFor } from "#server/testing/marketplace.ts";
import { errorOf, member } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";

const test = shopTest({ env: { RATE_LIMIT: "on", TRUST_PROXY: "loopback" } });

const nothing = "01935a00-0000-7000-8000-00000000ffff";
const report = { comment: "Not as described.", reportProduct: { _id: nothing } };

/** Uses up a limit with calls that fail with `NOT_FOUND`. */
async function useUp(asking: () => Promise<unknown>, { max }: { max: number }): Promise<void> {
  for (let asked = 0; asked < max; asked += 1) {
    expect(await errorOf(asking())).toMatchObject({ code: "NOT_FOUND" });
  }
}

test("a member over a limit gets 429 with Retry-After and can still make other calls, and other members are not affected", async ({
  shop,
  seller,
}) => {
  const [buyer, other] = [await member(shop), await member(shop)];
  const ask = () => buyer.call(reportProduct, { body: report });
  await useUp(ask, reportProduct.limit);
  expect(await errorOf(ask())).toMatchObject({
    status: 429,
    code: "TOO_MANY_REQUESTS",
    message: "Too many attempts. Please wait 60 minutes and try again.",
  });
  const answer = await fetch(`${shop.url}/api/reportedProducts`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await buyer.token()}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(report),
  });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3_500);
  expect(await errorOf(other.call(reportProduct, { body: report }))).toMatchObject({
    code: "NOT_FOUND",
  });
  const product = await listing(seller);
  expect(await buyer.call(bookProduct, { body: orderFor(product) })).toMatchObject({
    acknowledged: true,
  });
});

describe("limits", () => {
  const limited = { name: "knocking", max: 3, minutes: 5 };

  test("a limit applies across nodes and to concurrent requests", async ({ shop }) => {
    const nodes = [
      shop.deps.rateLimiter,
      createRateLimiter(shop.pool, { ...shop.deps.config, rateLimit: true }),
    ];
    const knocks = Array.from({ length: 10 }, (_, index) =>
      (nodes[index % 2] ?? shop.deps.rateLimiter).consume(limited, "ada").then(
        () => "let in",
        (error) => error.code,
      ),
    );
    expect(Object.groupBy(await Promise.all(knocks), (outcome) => outcome)).toMatchObject({
      "let in": { length: 3 },
      TOO_MANY_REQUESTS: { length: 7 },
    });
  });

  test("a used-up limit allows new calls when its period ends", async ({ shop }) => {
    const hourly = { name: "hourly", max: 1, minutes: 60 };
    const ask = () =>
      shop.deps.rateLimiter.consume(hourly, "ada").then(
        () => "let in",
        ({ message }: Error) => message,
      );
    expect(await ask()).toBe("let in");
    expect(await ask()).toContain("Please wait 60 minutes");
    await shop.pool.query(
      "update rate_limits set expire = expire - 3_600_000 where key like 'hourly:%'",
    );
    expect(await ask()).toBe("let in");
    expect(await ask()).toContain("Please wait 60 minutes");
  });

  test("every write has a rate limit", () => {
    const writes = Object.values<Call>(table).filter(({ method }) => method !== "GET");
    const unlimited = writes.filter(({ limit }) => limit === undefined);
    expect(unlimited.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

test("the server's own calls while rendering a page don't count toward the request limit", async ({
  shop,
}) => {
  for (let asked = 0; asked <= 1_000; asked += 1)
    expect((await shop.app.inject("/healthz")).statusCode).toBe(200);
  expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
});

const networks = [
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["fe80::1%eth0.5", "fe80:0:0:0::/64"],
] as const;

test("rate limits count each IPv4 address on its own, and IPv6 addresses by network", () => {
  const found = networks.map(([address]) => [address, networkOf(address)]);
  expect(found).toEqual(networks);
});

/** Sends a request to an unknown path. Returns how many more the address may send this minute. */
async function requestsLeft({ url }: Shop, address: string, path = "/nowhere"): Promise<number> {
  const headers = { "x-forwarded-for": address };
  const answer = await fetch(url + path, { method: "POST", headers });
  expect(answer.status).toBe(404);
  return Number(answer.headers.get("x-ratelimit-remaining"));
}

test("IP addresses in the same IPv6 network share a request limit, and other networks have their own", async ({
  shop,
}) => {
  const [one, neighbour, stranger] = [
    await requestsLeft(shop, "2001:db8:1:2::3"),
    await requestsLeft(shop, "2001:db8:1:2:3:4:5:6"),
    await requestsLeft(shop, "2001:db8:1:3::3"),
  ];
  expect([neighbour, stranger]).toEqual([one - 1, one]);
});

test("requests to unknown routes count toward the request limit", async ({ shop }) => {
  const first = await requestsLeft(shop, "203.0.113.8");
  expect(first).toBeGreaterThan(0);
  expect(await requestsLeft(shop, "203.0.113.8", "/api/nowhere")).toBe(first - 1);
});
