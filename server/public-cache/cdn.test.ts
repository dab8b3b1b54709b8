import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { editProduct } from "#contract/products.ts";
import { listen } from "../testing/free-port.ts";
import { listing } from "../testing/marketplace.ts";
import { metricOf } from "../testing/metrics.ts";
import { member } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";
import { cdnHeaders } from "./cdn-headers.ts";
import { PublicCache } from "./public-cache.ts";
import { purgeCdn } from "./purge-cdn.ts";

/** Rejects the next `refuse` purges, and then accepts all purges. */
async function startCdn() {
  const cdn = { purged: [] as string[][], requests: [] as object[], refuse: 0 };
  const server = createServer(({ method, headers }, response) => {
    const refused = cdn.refuse > 0;
    cdn.refuse -= Number(refused);
    cdn.requests.push({ method, token: headers["fastly-key"] });
    if (!refused) cdn.purged.push(String(headers["surrogate-key"]).split(" "));
    response.writeHead(refused ? 503 : 200).end();
  });
  const url = `http://127.0.0.1:${await listen(server)}/purge`;
  return { cdn, url, close: () => server.close() };
}

test("a CDN may cache public responses under their tags, but browsers still revalidate each time", async () => {
  const plain = await openShop();
  const shop = await openShop({ beside: plain, env: { CDN_SECONDS: "10" } });
  const seller = await member(shop, { accountType: "seller" });
  const id = await listing(seller);
  const path = `/api/products/byId/${id}`;
  // The second response is a cache hit, which Fastify does not see.
  for (const _ of [1, 2]) {
    const { headers } = await fetch(shop.url + path);
    expect(headers.get("surrogate-control")).toBe("max-age=10, stale-while-revalidate=10");
    expect(headers.get("cdn-cache-control")).toMatch(/^public, s-maxage=10, stale-while-reval/);
    const tags = headers.get("surrogate-key")?.split(" ");
    expect(tags).toEqual(expect.arrayContaining(["all", `product:${id}`, `seller:${seller.id}`]));
    expect(headers.get("cache-tag")?.split(",")).toEqual(tags);
    expect(headers.get("cache-control")).toBe("public, no-cache");
  }
  const names = ["surrogate-control", "cdn-cache-control", "surrogate-key", "cache-tag"];
  const namesOf = ({ headers }: Response) => names.filter((name) => headers.has(name));
  expect(namesOf(await fetch(plain.url + path))).toEqual([]);
  expect(namesOf(await fetch(`${shop.url}/api/products/byId/${seller.id}`))).toEqual([]);
  const own = { headers: { authorization: `Bearer ${await seller.token()}` } };
  const account = await fetch(`${shop.url}/api/payouts/account`, own);
  expect(namesOf(account)).toEqual([]);
  // Fastly ignores `no-store`, but obeys `private`.
  expect(account.headers.get("cache-control")).toBe("private, no-store");
  expect(namesOf(await fetch(`${shop.url}/readyz`))).toEqual([]);
  await shop.close();
  await plain.close();
});

test("a CDN caches no errors, and no responses whose tags it would truncate", () => {
  const tags = (count: number) => new Set(Array.from({ length: count }, (_, n) => `product:${n}`));
  const notKept = { "surrogate-control": "max-age=0", "cdn-cache-control": "no-store" };
  expect(cdnHeaders({ status: 200, tags: tags(2_000), seconds: 60 })).toEqual(notKept);
  expect(cdnHeaders({ status: 200, tags: tags(1), seconds: 0 })).toEqual(notKept);
  const spaced = cdnHeaders({ status: 200, tags: new Set(["fair-price:x1 (g9)"]), seconds: 60 });
  expect(spaced["surrogate-key"]).toBe("all fair-price:x1__g9_");
  expect(cdnHeaders({ status: 404, tags: tags(1), seconds: 60 })).toEqual(notKept);
  expect(cdnHeaders({ status: 200, tags: tags(1), seconds: 60 })).toMatchObject({
    "surrogate-key": "all product:0",
    "cdn-cache-control": "public, s-maxage=60, stale-while-revalidate=30",
  });
});

test("a change is purged from the CDN immediately and again seconds later, and rejected purges are retried", async () => {
  const { cdn, url, close } = await startCdn();
  const purge = { CDN_PURGE_URL: url, CDN_PURGE_METHOD: "POST", CDN_PURGE_TOKEN: "a token" };
  const shop = await openShop({ env: { CDN_SECONDS: "86400", ...purge } });
  // On start, a node purges everything, because it may have missed changes. A purge of everything
  // would replace the purges of the tags below.
  await expect.poll(() => cdn.purged).toEqual([["all"], ["all"]]);
  const seller = await member(shop, { accountType: "seller" });
  const id = await listing(seller);
  const [category] = await seller.call(listCategories, {});
  const listed = () => cdn.purged.filter((tags) => tags.includes(`category:${category?._id}`));
  await expect.poll(() => listed().length).toBe(2);
  expect(cdn.requests[0]).toEqual({ method: "POST", token: "a token" });
  const control = async (path: string) =>
    (await fetch(shop.url + path)).headers.get("surrogate-control");
  expect(await control(`/api/categoryProducts/${category?._id}`)).toMatch(/^max-age=86400,/);
  expect(await control(`/api/products/byId/${id}`)).toMatch(/^max-age=2970,/);

  const before = cdn.requests.length;
  cdn.refuse = 1;
  await seller.call(editProduct, { params: { id }, body: { resale_price: 600 } });
  const edited = () => cdn.purged.filter((tags) => tags.includes(`product:${id}`)).length;
  const editedBefore = edited();
  await expect.poll(edited).toBeGreaterThan(editedBefore);
  expect(cdn.requests.length).toBeGreaterThan(before + 1);
  const failed = { service: "cdn", outcome: "failed" };
  expect(await metricOf(shop, "secondlap_provider_calls_total", failed)).toBe(1);
  await shop.close();
  close();
});

test("tags for members' event streams are not purged from the CDN", async () => {
  const cache = new PublicCache();
  const purged: string[][] = [];
  const purge = async (tags: readonly string[]) => void purged.push([...tags]);
  const stop = purgeCdn(cache, purge, { warn() {} });
  cache.invalidate(["deals:1"]);
  cache.invalidate(["product:1", "deals:2"]);
  await expect.poll(() => purged[0]).toEqual(["product:1"]);
  expect(new Set(purged.flat())).toEqual(new Set(["product:1"]));
  stop();
});
