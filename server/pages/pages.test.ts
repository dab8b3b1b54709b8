import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, vi } from "vitest";
import { CurrentShop } from "../current-shop.ts";
import { createTestDatabase } from "../testing/create-test-database.ts";
import { shopTest } from "../testing/fixtures.ts";
import { openMovingAddress } from "../testing/moving-address.ts";
import { anyCategory } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { loadBuiltSite } from "./register-pages.ts";

const test = shopTest({ pages: true });

/** Avoids `fetch`, which would normalize the path. */
async function get(shop: Shop, path: string, headers: Record<string, string> = {}) {
  const [answer] = (await once(
    request(shop.url, { path, headers: { "accept-encoding": "br", ...headers } }).end(),
    "response",
  )) as [IncomingMessage];
  const bytes = (await buffer(answer)).toString("base64");
  return { status: answer.statusCode, headers: answer.headers, bytes };
}

describe("an unknown path", () => {
  const unknown = [
    "/nowhere",
    "/nowhere/",
    "/nowhere/x/y",
    "/dashboard/nowhere",
    "/blogs/x",
    "/blogs.data",
    "/_root.data",
    "/wp-login.php",
    "/categoryProducts",
    "/dashboard/payment",
  ];

  test("unknown paths share one cached page, and return 404 even if the request has If-None-Match", async ({
    shop,
  }) => {
    const first = await get(shop, "/nowhere-0");
    expect(first).toMatchObject({ status: 404, headers: { "content-encoding": "br" } });
    const before = shop.deps.publicCache.bytes;
    for (const path of unknown) {
      const { status, bytes } = await get(shop, path);
      expect([path, status, bytes]).toEqual([path, 404, first.bytes]);
    }
    expect(shop.deps.publicCache.bytes).toBe(before);
    const { etag = "" } = first.headers;
    expect((await get(shop, "/nowhere", { "if-none-match": etag })).status).toBe(404);
  });
});

describe("signing in with Firebase", () => {
  const google = /google|firebase/i;
  const policyOf = async (shop: Shop) =>
    (await fetch(`${shop.url}/login`)).headers.get("content-security-policy") ?? "";

  test("without Firebase, neither the content security policy nor the pages mention Firebase", async ({
    shop,
  }) => {
    expect(await policyOf(shop)).not.toMatch(google);
    const html = await (await fetch(`${shop.url}/`)).text();
    expect(html).not.toContain("data-identity");
    expect(html).not.toMatch(/googleapis|firebase-/);
  });

  test("with Firebase, the content security policy adds only Firebase's origins, and the login page offers no passkeys", async ({
    shop,
  }) => {
    const env = {
      FIREBASE_PROJECT_ID: "laptops",
      FIREBASE_API_KEY: "a browser key",
      FIREBASE_AUTH_DOMAIN: "laptops.firebaseapp.com",
    };
    const other = await openShop({ pages: true, env });
    onTestFinished(() => other.close());
    const embedded = (await policyOf(shop)).split(/[; ]+/);
    const sources = new Set((await policyOf(other)).split(/[; ]+/));
    const added = [...sources].filter((source) => !embedded.includes(source));
    expect(added.filter((source) => !source.startsWith("'sha256-"))).toEqual([
      "https://apis.google.com",
      "https://identitytoolkit.googleapis.com",
      "https://securetoken.googleapis.com",
      "https://laptops.firebaseapp.com",
    ]);
    const html = await (await fetch(`${other.url}/login`)).text();
    expect(html).toContain('data-identity="firebase"');
    expect(html).toMatch(/Continue with (<!-- -->)?Google/);
    expect(html).not.toContain("Use a passkey");
    expect(await (await fetch(`${shop.url}/login`)).text()).toContain("Use a passkey");
  });
});

test("§9.6: Home's promo shows the amounts from the settings", async () => {
  const env = {
    INVITE_CREDIT: "5",
    INVITE_DISCOUNT_PERCENT: "12.5",
    INVITE_DISCOUNT_OVER: "300",
    INVITE_DISCOUNT_CAP: "75",
    INVITE_PURCHASE_CREDIT: "7.5",
  };
  const other = await openShop({ pages: true, env });
  onTestFinished(() => other.close());
  const html = await (await fetch(`${other.url}/`)).text();
  const promo = /<section[^>]* class="promo">.*?<\/section>/s.exec(html)?.[0] ?? "";
  expect(promo).toContain(
    "Get $5 off for inviting a friend. They get 12.5% off their first purchase over $300 (up to $75), and you get $7.50 off your next one.",
  );
  expect([...promo.matchAll(/text-accent">([^<]+)</g)].map(([, amount]) => amount)).toEqual([
    "$5",
    "12.5%",
    "$7.50",
  ]);
});

test("every unknown category returns 404 with the same page, which is cached once", async ({
  shop,
}) => {
  const first = await get(shop, "/categoryProducts/none");
  expect(first.status).toBe(404);
  const before = shop.deps.publicCache.bytes;
  for (let n = 0; n < 20; n += 1)
    expect(await get(shop, `/categoryProducts/${crypto.randomUUID()}`)).toMatchObject({
      status: 404,
      bytes: first.bytes,
    });
  expect(shop.deps.publicCache.bytes).toBe(before);
  expect((await get(shop, `/categoryProducts/${await anyCategory(shop)}`)).status).toBe(200);
});

test("a page whose HTML is the same for every id is cached once", async ({ shop }) => {
  const first = await get(shop, "/dashboard/payment/1");
  const before = shop.deps.publicCache.bytes;
  expect(await get(shop, "/dashboard/payment/2")).toMatchObject({
    status: 200,
    bytes: first.bytes,
  });
  expect(shop.deps.publicCache.bytes).toBe(before);
});

test.for([
  ["/blogs/", "/blogs"],
  ["//blogs", "/blogs"],
  ["/blogs//", "/blogs"],
  ["/BLOGS?from=a%20b", "/blogs?from=a%20b"],
  ["/%62logs", "/blogs"],
  ["/x/../blogs", "/blogs"],
  ["//evil.example/../blogs", "/blogs"],
  ["/\\evil.example/../blogs", "/blogs"],
  ["//", "/"],
  ["/?a#b", undefined],
  ["/dashboard//payments", "/dashboard/payments"],
  ["/dashboard/payment/a%2fb/", "/dashboard/payment/a%2Fb"],
  ["//evil.example", undefined],
  ["//evil.example/blogs/", undefined],
] as const)("%s gets the redirect location %s", async ([path, canonical], { shop }) => {
  const { status, headers } = await get(shop, path);
  expect([status === 308, headers.location]).toEqual([canonical !== undefined, canonical]);
  if (canonical !== undefined) expect((await get(shop, canonical)).status).toBe(200);
});

test("every route with a loader has a client loader, so browsers never request `.data`", async () => {
  const build = new URL("../../build/server/index.js", import.meta.url).href;
  const { assets } = (await import(build)) as {
    assets: { routes: Record<string, { hasLoader: boolean; hasClientLoader: boolean }> };
  };
  const withLoader = Object.entries(assets.routes).filter(([, { hasLoader }]) => hasLoader);
  expect(withLoader.length).toBeGreaterThan(0);
  expect(withLoader.filter(([, { hasClientLoader }]) => !hasClientLoader)).toEqual([]);
});

async function loadSite(logFailure: (error: unknown) => void) {
  const settings = { production: true, staging: false, shop: new CurrentShop(), logFailure };
  return await loadBuiltSite(join(import.meta.dirname, "../../build"), settings);
}

test("the component gallery returns 404 in production", async () => {
  const site = await loadSite((error) => {
    throw error;
  });
  const { status } = await site.render(new Request("https://secondlap.example/ui"), fetch);
  expect(status).toBe(404);
});

test("in development, pages render from their sources, and load React Router's runtime for updates", async () => {
  const shop = await openShop({ pages: true, env: { NODE_ENV: "development" } });
  onTestFinished(() => shop.close());
  const read = async (path: string) => await (await fetch(`${shop.url}${path}`)).text();
  const [, runtime] = /<script type="module" src="([^"]+)"/.exec(await read("/login")) ?? [];
  expect(await read(`${runtime}`)).toContain("__vite_plugin_react_preamble_installed__ = true");
});

test("a page that shows data returns 503 with Retry-After while the database is unavailable", async () => {
  const url = new URL(await createTestDatabase("pages"));
  const address = await openMovingAddress(Number(url.port));
  url.port = String(address.port);
  const shop = await openShop({ databaseUrl: url.href, pages: true });
  address.close();
  const id = "0199a6c0-0000-7000-8000-000000000000";
  for (const path of ["/", `/laptops/${id}-thinkpad`, `/sellers/${id}`]) {
    const { status, headers } = await get(shop, path);
    expect([path, status]).toEqual([path, 503]);
    expect(headers).toMatchObject({ "retry-after": "2", "cache-control": "private, no-store" });
  }
  await shop.close();
});

test("rendering errors are written to the log, not to the console", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => written.mockRestore());
  const logged: unknown[] = [];
  const site = await loadSite((error) => void logged.push(error));
  const failed = new Error("no answer about ada@example.com");
  const request = new Request("https://secondlap.example/?token=s3cret");
  const { status } = await site.render(request, () => Promise.reject(failed));
  expect(status).toBe(500);
  expect(logged).not.toEqual([]);
  expect(written).not.toHaveBeenCalled();
});

test("§10.24: every page of a staging shop says that it is a test site, and no page of another shop does", async ({
  shop,
}) => {
  const staging = await openShop({ pages: true, env: { STAGING: "1" } });
  onTestFinished(() => staging.close());
  for (const path of ["/", "/dashboard", "/search", "/no/such/page"]) {
    const [html, other] = await Promise.all(
      [staging, shop].map(async ({ url }) => await (await fetch(`${url}${path}`)).text()),
    );
    expect(html, path).toContain("This is a test site.");
    expect(other, path).not.toContain("This is a test site.");
  }
});
