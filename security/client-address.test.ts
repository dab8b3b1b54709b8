import { describe, expect, test } from "vitest";
import { findSessions } from "#server/adapters/identity/testing.ts";
import { readConfig } from "#server/config.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import type { Shop } from "#server/testing/shop.ts";

const someone = { "x-forwarded-for": "203.0.113.7" };

/** Signs up and returns the IP address that the shop stored with the session. */
async function addressOf(shop: Shop, headers: Record<string, string>): Promise<string | null> {
  const email = `${crypto.randomUUID()}@example.com`;
  const answer = await fetch(`${shop.url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: shop.url, ...headers },
    body: JSON.stringify({ name: "Ada", email, password: "Lovelace#1815" }),
  });
  expect(answer.status).toBe(200);
  const [session] = await findSessions(shop.deps.db, email);
  return session?.ipAddress ?? null;
}

const directTest = shopTest();
const proxyTest = shopTest({ env: { TRUST_PROXY: "loopback, 10.0.0.0/8" } });

describe("without a proxy", () => {
  directTest.for([
    someone,
    { forwarded: "for=203.0.113.7" },
    { "x-real-ip": "203.0.113.7" },
    { "x-secondlap-client": "203.0.113.7" },
  ])("a client can't fake an IP address with a header: %j", async (headers, { shop }) => {
    expect(await addressOf(shop, headers)).toBe("127.0.0.1");
  });
});

describe("behind a trusted proxy", () => {
  proxyTest("the client's IP address is read from the proxy's header", async ({ shop }) => {
    expect(await addressOf(shop, someone)).toBe("203.0.113.7");
  });

  proxyTest(
    "the client's IP address is found behind a chain of three trusted proxies",
    async ({ shop }) => {
      const tlsAndVarnish = { "x-forwarded-for": "203.0.113.7, 10.0.0.61, 10.0.0.51" };
      expect(await addressOf(shop, tlsAndVarnish)).toBe("203.0.113.7");
    },
  );

  proxyTest("a proxy that TRUST_PROXY does not name is treated as the client", async ({ shop }) => {
    const headers = { "x-forwarded-for": "203.0.113.7, 192.0.2.61, 10.0.0.51" };
    expect(await addressOf(shop, headers)).toBe("192.0.2.61");
  });

  proxyTest(
    "IP addresses that the client itself puts into X-Forwarded-For are ignored",
    async ({ shop }) => {
      const headers = { "x-forwarded-for": "198.51.100.1, 203.0.113.7, 10.1.2.3" };
      expect(await addressOf(shop, headers)).toBe("203.0.113.7");
    },
  );
});

describe("TRUST_PROXY", () => {
  test.each([
    "1",
    "true",
    "all",
    "0.0.0.0/0",
    "::/0",
    "10.0.0.0/33",
    "proxy.example.com",
    // Networks too large for a proxy, alone or next to a valid address.
    "0.0.0.0/1",
    "10.0.0.5, 128.0.0.0/1",
    "10.0.0.0/7",
    "2000::/3",
    "2001:db8::/31",
    // Networks wider than the private ranges, or networks with IPv4 addresses mapped to IPv6.
    "fc00::/6",
    "fe80::/9",
    "::ffff:0:0/97",
    "::/80",
  ])("TRUST_PROXY can't be %s", (value) => {
    expect(() => readConfig({ TRUST_PROXY: value })).toThrow("TRUST_PROXY");
  });

  test.each([
    "10.0.0.0/8",
    "172.16.0.0/12",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "151.101.0.0/16, 2a04:4e40::/32",
    "203.0.113.7, 2001:db8::7",
    "loopback, uniquelocal",
  ])("TRUST_PROXY can be %s", (value) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(value.split(", "));
  });
});
