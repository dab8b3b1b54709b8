import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteProduct, toggleAdvertise } from "#contract/products.ts";
import { createMember, errorOf, type Person, sell } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";

let shop: Shop;
let seller: Person;
let listener: pg.Client;
/** Payloads received, in commit order. */
let notified: string[];

beforeAll(async () => {
  shop = await openShop();
  seller = await createMember(shop, { accountType: "seller" });
  notified = [];
  listener = new pg.Client({ connectionString: shop.databaseUrl });
  await listener.connect();
  listener.on("notification", ({ payload = "" }) => void notified.push(payload));
  await listener.query("listen public_change");
});
afterAll(async () => {
  await listener.end();
  await shop.close();
});

/** Whether `work` cleared the cache of this node, and the notifications it sent to every node. */
async function clearedBy(work: () => Promise<unknown>) {
  const { publicCache } = shop.deps;
  await notify("before");
  await expect.poll(() => publicCache.bytes).toBe(0);
  await fetch(`${shop.url}/api/categories`);
  expect(publicCache.bytes).toBeGreaterThan(0);
  await work();
  const here = publicCache.bytes === 0;
  return { here, notifications: await notify("after") };
}

/** Sends a notification, waits for it, and returns those received before it. */
async function notify(payload: string): Promise<string[]> {
  await shop.pool.query("select pg_notify('public_change', $1)", [payload]);
  await expect.poll(() => notified).toContain(payload);
  const earlier = notified.slice(0, notified.indexOf(payload));
  notified = [];
  return earlier;
}

async function deleteWithKey(id: string, key: string): Promise<number> {
  const { status } = await fetch(`${shop.url}/api/products/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${await seller.token()}`, "idempotency-key": key },
  });
  return status;
}

const nothing = { here: false, notifications: [] };

test("a delete clears the cache, and its replay by Idempotency-Key does not", async () => {
  const id = await sell(shop, seller);
  expect(await clearedBy(() => deleteWithKey(id, "one"))).toEqual({
    here: true,
    notifications: ["products"],
  });
  const replays = async () => {
    for (let n = 0; n < 5; n += 1) expect(await deleteWithKey(id, "one")).toBe(200);
  };
  expect(await clearedBy(replays)).toEqual(nothing);
});

test("a refused write clears nothing", async () => {
  const id = await sell(shop, seller);
  const stranger = await createMember(shop, { accountType: "seller" });
  const refused = [
    () => errorOf(stranger.call(deleteProduct, { params: { id } })),
    () => errorOf(stranger.call(toggleAdvertise, { body: { id, advertiseStatus: false } })),
  ];
  for (const work of refused) expect(await clearedBy(work)).toEqual(nothing);
});

test("a write that changes no row clears nothing", async () => {
  const { name, email, cookie } = await createMember(shop);
  const sameName = async () => {
    const answer = await fetch(`${shop.url}/api/users`, {
      method: "PUT",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ name, email, accountType: "buyer" }),
    });
    expect(await answer.json()).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
  };
  expect(await clearedBy(sameName)).toEqual(nothing);
  const updates = [
    "update products set product_name = product_name",
    "update products set product_name = 'x' where false",
    "delete from products where false",
    "update members set name = name",
  ];
  for (const sql of updates) expect(await clearedBy(() => shop.pool.query(sql))).toEqual(nothing);
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.2, gzip;q=0.9", "gzip"],
  ["*", "br"],
  ["deflate", undefined],
  ["", undefined],
])("Accept-Encoding %j is answered with Content-Encoding %j", async (accepted, encoding) => {
  const { headers, rawPayload } = await shop.app.inject({
    url: "/api/categories",
    headers: { "accept-encoding": accepted },
  });
  expect(headers["content-encoding"]).toBe(encoding);
  if (encoding === undefined) expect(JSON.parse(rawPayload.toString())).not.toEqual([]);
  const again = await shop.app.inject({
    url: "/api/categories",
    headers: { "accept-encoding": accepted, "if-none-match": `W/${headers.etag}` },
  });
  expect(again.statusCode).toBe(304);
});
