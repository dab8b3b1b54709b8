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

async function deleteUnknown({ app }: Shop, who: Person, key: string | undefined) {
  return await app.inject({
    method: "DELETE",
    url: "/api/products/01935a00-0000-7000-8000-00000000ffff",
    headers: {
      authorization: `Bearer ${await who.token()}`,
      ...(key !== undefined && { "idempotency-key": key }),
    },
  });
}

const products = async (shop: Shop) =>
  (await shop.deps.db.selectFrom("products").select("id").execute()).length;

test("for a day, a retry with the same key and body gets the first response and changes nothing, even after a crash", async ({
  shop,
  seller,
}) => {
  const body = await draftListing(seller, { product_categoryId: await anyCategory(shop) });
  const add = (changes = {}, who = seller) =>
    post(shop, "/products", { who, key: "a", body: { ...body, ...changes } });
  const first = await add();
  expect(first.status).toBe(201);
  const count = await products(shop);
  expect(await add()).toEqual(first);
  expect(await add({ product_name: "Another" })).toMatchObject({
    status: 422,
    body: { code: "KEY_REUSED", acknowledged: false },
  });
  // Simulates a server crash before the response was stored.
  const lost = { status: null, body: null };
  await shop.deps.db.updateTable("idempotency_requests").set(lost).where("key", "=", "a").execute();
  expect(await add()).toEqual(first);
  expect(await products(shop)).toBe(count);

  const other = await member(shop, { accountType: "seller" });
  const others = [first, await add(await draftListing(other), other)];
  shop.clock.advance(24 * 60 + 1);
  await cleanUp(shop.deps);
  others.push(await add());
  expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(others.map((answer) => answer.body.insertedId)).size).toBe(3);
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

test("a member has a daily limit on new Idempotency-Keys but can reuse earlier keys, and expired keys are deleted", async () => {
  const limited = await openShop({ env: { RATE_LIMIT: "on" } });
  onTestFinished(() => limited.close());
  const who = await member(limited, { accountType: "seller" });
  const remove = (key: string) => deleteUnknown(limited, who, key);
  const kept = () => limited.deps.db.selectFrom("idempotency_requests").select("key").execute();
  expect((await remove("first")).statusCode).toBe(404);
  for (let used = 1; used < keysPerMember.max; used += 1)
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

test("an IP address has a daily limit on new Idempotency-Keys, but can still write without a key", async () => {
  const limited = await openShop({ env: { RATE_LIMIT: "on" } });
  onTestFinished(() => limited.close());
  const deleteProduct = async (key?: string) => {
    const seller = await member(limited, { accountType: "seller" });
    return (await deleteUnknown(limited, seller, key)).statusCode;
  };
  expect(await deleteProduct("first")).toBe(404);
  const setUsed = (count: number) =>
    limited.pool.query("update rate_limits set points = $1 where key = $2", [
      count,
      `${keysPerAddress.name}:127.0.0.1`,
    ]);
  await setUsed(keysPerAddress.max - 1);
  expect(await deleteProduct("last")).toBe(404);
  expect(await deleteProduct("one too many")).toBe(429);
  expect(await deleteProduct()).toBe(404);
});
