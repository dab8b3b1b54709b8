import { expect, onTestFinished } from "vitest";
import { cleanUp } from "../features/retention/clean-up.ts";
import { shopTest } from "../testing/fixtures.ts";
import { draftListing, listing } from "../testing/marketplace.ts";
import { anyCategory, member, type Person } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { keysPerAddress, keysPerMember } from "./idempotency.ts";

const test = shopTest();

async function post(
  shop: Shop,
  path: string,
  { who, key, body, method = "POST" }: { who: Person; key: string; body: object; method?: string },
) {
  const answer = await fetch(`${shop.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await who.token()}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const products = async (shop: Shop) =>
  (await shop.deps.db.selectFrom("products").select("id").execute()).length;

test("a retry with the same key and body gets the first response and changes nothing", async ({
  shop,
  seller,
}) => {
  const body = await draftListing(seller);
  const first = await post(shop, "/products", { who: seller, key: "a", body });
  const count = await products(shop);
  expect(first.status).toBe(201);
  expect(await post(shop, "/products", { who: seller, key: "a", body })).toEqual(first);
  expect(await products(shop)).toBe(count);
});

test("twenty concurrent requests with the same key run once and get the same response", async ({
  shop,
  seller,
}) => {
  const body = await draftListing(seller);
  const before = await products(shop);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => post(shop, "/products", { who: seller, key: "b", body })),
  );
  expect(new Set(responses.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await products(shop)).toBe(before + 1);
});

test("a request that reuses a key with another body is rejected and changes nothing", async ({
  shop,
  seller,
}) => {
  const body = await draftListing(seller);
  await post(shop, "/products", { who: seller, key: "c", body });
  const before = await products(shop);
  const other = await post(shop, "/products", {
    who: seller,
    key: "c",
    body: { ...body, product_name: "Another" },
  });
  expect(other).toMatchObject({ status: 422, body: { code: "KEY_REUSED", acknowledged: false } });
  expect(await products(shop)).toBe(before);
});

test("if a crash loses the response, a retry does not repeat the change", async ({
  shop,
  seller,
}) => {
  const body = await draftListing(seller);
  const first = await post(shop, "/products", { who: seller, key: "d", body });
  const count = await products(shop);
  // Simulates a server crash before the response was stored.
  await shop.deps.db
    .updateTable("idempotency_requests")
    .set({ status: null, body: null })
    .where("key", "=", "d")
    .execute();
  expect(await post(shop, "/products", { who: seller, key: "d", body })).toEqual(first);
  expect(await products(shop)).toBe(count);
});

test("a retry gets the first response, even for a toggle or a rejected call", async ({
  shop,
  seller,
}) => {
  const product = await listing(seller);
  const body = { id: product, advertiseStatus: false };
  const toggle = (key: string) =>
    post(shop, "/products", { who: seller, key, body, method: "PUT" });
  const first = await toggle("e");
  expect(first).toMatchObject({ status: 200, body: { advertise: true } });
  expect(await toggle("e")).toEqual(first);
  const rejected = await toggle("f");
  expect(rejected).toMatchObject({ status: 409, body: { code: "STALE" } });
  await post(shop, "/products", {
    who: seller,
    key: "g",
    body: { id: product, advertiseStatus: true },
    method: "PUT",
  });
  expect(await toggle("f")).toEqual(rejected);
});

test("two members can use the same Idempotency-Key", async ({ shop, seller }) => {
  const other = await member(shop, { accountType: "seller" });
  const mine = await post(shop, "/products", {
    who: seller,
    key: "h",
    body: await draftListing(seller),
  });
  const theirs = await post(shop, "/products", {
    who: other,
    key: "h",
    body: await draftListing(other),
  });
  expect(theirs.status).toBe(201);
  expect(theirs.body.insertedId).not.toBe(mine.body.insertedId);
});

test("an Idempotency-Key expires after a day", async ({ shop, seller }) => {
  const body = await draftListing(seller, { product_categoryId: await anyCategory(shop) });
  const first = await post(shop, "/products", { who: seller, key: "i", body });
  shop.clock.advance(24 * 60 + 1);
  await cleanUp(shop.deps);
  const again = await post(shop, "/products", { who: seller, key: "i", body });
  expect(again.status).toBe(201);
  expect(again.body.insertedId).not.toBe(first.body.insertedId);
});

test("a member has a daily limit on new Idempotency-Keys but can reuse earlier keys, and expired keys are deleted", async () => {
  const limited = await openShop({ env: { RATE_LIMIT: "on" } });
  onTestFinished(() => limited.close());
  const who = await member(limited, { accountType: "seller" });
  const token = await who.token();
  const nothing = "01935a00-0000-7000-8000-00000000ffff";
  const remove = (key: string) =>
    limited.app.inject({
      method: "DELETE",
      url: `/api/products/${nothing}`,
      headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
    });
  const kept = () => limited.deps.db.selectFrom("idempotency_requests").select("key").execute();
  expect((await remove("first")).statusCode).toBe(404);
  for (let used = 1; used < keysPerMember.most; used += 1)
    await limited.deps.rateLimiter.consume(keysPerMember, who.id);
  const refused = await remove("one too many");
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(23 * 3_600);
  expect((await remove("first")).statusCode).toBe(404);
  expect(await kept()).toEqual([{ key: "first" }]);
  limited.clock.advance(24 * 60 + 1);
  await cleanUp(limited.deps);
  expect(await kept()).toEqual([]);
});

test("an IP address has a daily limit on new Idempotency-Keys, but no limit on writes without a key", async () => {
  const limited = await openShop({ env: { RATE_LIMIT: "on" } });
  onTestFinished(() => limited.close());
  const deleteProduct = async (key?: string) => {
    const seller = await member(limited, { accountType: "seller" });
    const { statusCode } = await limited.app.inject({
      method: "DELETE",
      url: "/api/products/01935a00-0000-7000-8000-00000000ffff",
      headers: {
        authorization: `Bearer ${await seller.token()}`,
        ...(key !== undefined && { "idempotency-key": key }),
      },
    });
    return statusCode;
  };
  expect(await deleteProduct("first")).toBe(404);
  const setUsed = (count: number) =>
    limited.pool.query("update rate_limits set points = $1 where key = $2", [
      count,
      `${keysPerAddress.name}:127.0.0.1`,
    ]);
  await setUsed(keysPerAddress.most - 1);
  expect(await deleteProduct("last")).toBe(404);
  expect(await deleteProduct("one too many")).toBe(429);
  expect(await deleteProduct()).toBe(404);
});
