import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentSecurityPolicy, withoutNonces } from "#server/http/content-security-policy.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";

let shop: Shop;
let overTls: Shop;

beforeAll(async () => {
  [shop, overTls] = await Promise.all([
    openShop(),
    openShop({ env: { PUBLIC_URL: "https://secondlap.test" } }),
  ]);
});
afterAll(() => Promise.all([shop.close(), overTls.close()]));

async function signUp(at: Shop, headers: Record<string, string>): Promise<Response> {
  const email = `${crypto.randomUUID()}@example.com`;
  return await fetch(`http://127.0.0.1:${at.deps.config.port}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", host: "secondlap.test", ...headers },
    body: JSON.stringify({ name: "Ada", email, password: "Lovelace#1815" }),
  });
}

describe("cross-site requests", () => {
  const elsewhere: Record<string, string>[] = [
    { origin: "https://elsewhere.test" },
    { origin: "null" },
    { origin: "http://127.0.0.1" },
    { origin: "" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "same-origin", origin: "https://elsewhere.test" },
  ];
  test.each(elsewhere)(
    "a write from another origin gets 403, even on an unknown path: %j",
    async (headers) => {
      const { url } = shop;
      for (const path of ["/api/auth/sign-out", "/api/users", "/api/bookingProducts", "/nowhere"]) {
        const answer = await fetch(url + path, { method: "POST", headers });
        expect(answer.status).toBe(403);
        expect(await answer.json()).toMatchObject({
          code: "FORBIDDEN",
          message: "This was sent from another site. Open this shop and try again.",
        });
      }
    },
  );

  test("same-origin writes are accepted on localhost and on 127.0.0.1", async () => {
    const { port } = shop.deps.config;
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const answer = await signUp(shop, { origin, "sec-fetch-site": "same-origin" });
      expect(answer.status).toBe(200);
    }
  });

  test("a response to another origin has no Access-Control-Allow-Origin header", async () => {
    const headers = { origin: "https://elsewhere.test", "access-control-request-method": "POST" };
    const asked = [
      await fetch(`${shop.url}/api/categories`, { headers }),
      await fetch(`${shop.url}/api/products`, { method: "OPTIONS", headers }),
    ];
    for (const answer of asked) {
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("cookies", () => {
  test("over TLS, cookies have the __Host- prefix and are HttpOnly", async () => {
    const answer = await signUp(overTls, { origin: "https://secondlap.test" });
    const set = answer.headers.getSetCookie();
    expect(set.length).toBeGreaterThan(0);
    for (const cookie of set) {
      expect(cookie).toMatch(/^__Host-secondlap\./);
      expect(cookie).toMatch(/; Secure/i);
      expect(cookie).toMatch(/; HttpOnly/i);
      expect(cookie).toMatch(/; SameSite=(Lax|Strict)/i);
      expect(cookie).toMatch(/; Path=\/(;|$)/i);
      expect(cookie).not.toMatch(/; Domain/i);
    }
  });
});

describe("response headers", () => {
  const paths = ["/api/categories", "/api/nowhere", "/api/docs/", "/healthz", "/images/none.jpg"];
  test.each(paths)("the response from %s has the security headers", async (path) => {
    const { headers } = await fetch(shop.url + path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
    expect(headers.get("permissions-policy")).toContain(
      "camera=(), display-capture=(), geolocation=()",
    );
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(headers.get("server")).toBeNull();
    expect(headers.get("x-powered-by")).toBeNull();
  });

  test("responses have an HSTS header only over TLS", async () => {
    const { port } = overTls.deps.config;
    const { headers } = await fetch(`http://127.0.0.1:${port}/api/categories`);
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=31536000/);
    const plain = await fetch(`${shop.url}/api/categories`);
    expect(plain.headers.get("strict-transport-security")).toBeNull();
  });
});

describe("the content security policy", () => {
  const none = { scripts: [], connects: [], frames: [], images: [], hotReload: false };

  test("the policy allows the page's own inline scripts by hash, and no other inline scripts", () => {
    // From openssl: printf 'go()' | openssl dgst -sha256 -binary | base64
    const hash = "'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='";
    const own = '<script src="/a.js"></script><script nonce="nonce">go()</script>';
    const injected = '<script>evil()</script><script nonce="">evil()</script>';
    const page = { html: own + injected, nonce: "nonce" };
    expect(contentSecurityPolicy(page, none)).toContain(`script-src 'self' ${hash};`);
    expect(contentSecurityPolicy(page, none)).not.toContain("unsafe");
    expect(withoutNonces(page)).toBe(
      `<script src="/a.js"></script><script>go()</script>${injected}`,
    );
  });

  test("the policy requires trusted types", () => {
    const policy = contentSecurityPolicy({ html: "", nonce: "nonce" }, none);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default");
  });
});
