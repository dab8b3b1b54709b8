import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { anyCategory } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { loadBuiltSite } from "./built-site.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ pages: true });
});
afterAll(() => shop.close());

/** `fetch` would normalize the path. */
async function get(path: string, headers: Record<string, string> = {}) {
  const [answer] = (await once(
    request(shop.url, { path, headers: { "accept-encoding": "br", ...headers } }).end(),
    "response",
  )) as [IncomingMessage];
  const bytes = (await buffer(answer)).toString("base64");
  return { status: answer.statusCode, headers: answer.headers, bytes };
}

describe("an unknown path", () => {
  const unknown = [
    ...["/nowhere", "/nowhere/", "/nowhere/x/y", "/dashboard/nowhere", "/blogs/x", "/blogs.data"],
    ...["/_root.data", "/wp-login.php", "/categoryProducts", "/dashboard/payment"],
  ];

  test("is 404 with the same compressed bytes, and takes no memory", async () => {
    const first = await get("/nowhere-0");
    expect(first).toMatchObject({ status: 404, headers: { "content-encoding": "br" } });
    const before = shop.deps.publicCache.bytes;
    for (const path of unknown) {
      const { status, bytes } = await get(path);
      expect([path, status, bytes]).toEqual([path, 404, first.bytes]);
    }
    expect(shop.deps.publicCache.bytes).toBe(before);
  });

  test("is 404 also with If-None-Match", async () => {
    const { etag = "" } = (await get("/nowhere")).headers;
    expect((await get("/nowhere", { "if-none-match": etag })).status).toBe(404);
  });
});

test("an unknown category is 404 with the same bytes, cached once", async () => {
  const first = await get("/categoryProducts/none");
  expect(first.status).toBe(404);
  const before = shop.deps.publicCache.bytes;
  for (let n = 0; n < 20; n += 1)
    expect(await get(`/categoryProducts/${crypto.randomUUID()}`)).toMatchObject({
      status: 404,
      bytes: first.bytes,
    });
  expect(shop.deps.publicCache.bytes).toBe(before);
  expect((await get(`/categoryProducts/${await anyCategory(shop)}`)).status).toBe(200);
});

test("a page that is the same for every id is cached once", async () => {
  const first = await get("/dashboard/payment/1");
  const before = shop.deps.publicCache.bytes;
  expect(await get("/dashboard/payment/2")).toMatchObject({ status: 200, bytes: first.bytes });
  expect(shop.deps.publicCache.bytes).toBe(before);
});

test.each([
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
])("%s redirects to %s", async (path, canonical) => {
  const { status, headers } = await get(path);
  expect([status === 308, headers.location]).toEqual([canonical !== undefined, canonical]);
  if (canonical !== undefined) expect((await get(canonical)).status).toBe(200);
});

test("every route with a loader has a client loader, so `.data` requests never occur", async () => {
  const build = new URL("../../build/server/index.js", import.meta.url).href;
  const { assets } = (await import(build)) as {
    assets: { routes: Record<string, { hasLoader: boolean; hasClientLoader: boolean }> };
  };
  const withLoader = Object.entries(assets.routes).filter(([, { hasLoader }]) => hasLoader);
  expect(withLoader.length).toBeGreaterThan(0);
  expect(withLoader.filter(([, { hasClientLoader }]) => !hasClientLoader)).toEqual([]);
});

test("rendering errors go to the log, not to the console", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => written.mockRestore());
  const logged: unknown[] = [];
  const site = await loadBuiltSite(join(import.meta.dirname, "../../build"), {
    production: true,
    staging: false,
    logFailure: (error) => void logged.push(error),
  });
  const failed = new Error("no answer about ada@example.com");
  const request = new Request("https://secondlap.example/?token=s3cret");
  const { status } = await site.render(request, () => Promise.reject(failed));
  expect(status).toBe(500);
  expect(logged).not.toEqual([]);
  expect(written).not.toHaveBeenCalled();
});
