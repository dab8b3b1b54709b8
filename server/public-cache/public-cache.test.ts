import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteProduct, toggleAdvertise } from "#contract/products.ts";
import { createMember, errorOf, type Person, sell } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";

let shop: Shop;
let seller: Person;
let listener: pg.Client;
/** What was notified, in the order of the commits. */
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

/** What clears the cache while `work` runs: the server that does it, and notifications to all servers. */
async function clearsBy(work: () => Promise<unknown>) {
  const { publicCache } = shop.deps;
  await notify("before");
  await expect.poll(() => publicCache.bytes).toBe(0);
  await fetch(`${shop.url}/api/categories`);
  expect(publicCache.bytes).toBeGreaterThan(0);
  await work();
  const here = publicCache.bytes === 0;
  return { here, notifications: await notify("after") };
}

/** Sends a notification and waits for it; answers those that came before it. */
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

test("a delete clears the cache, its replay by Idempotency-Key does not", async () => {
  const id = await sell(shop, seller);
  expect(await clearsBy(() => deleteWithKey(id, "one"))).toEqual({
    here: true,
    notifications: ["products"],
  });
  const replays = async () => {
    for (let n = 0; n < 5; n += 1) expect(await deleteWithKey(id, "one")).toBe(200);
  };
  expect(await clearsBy(replays)).toEqual(nothing);
});

test("a refused write clears nothing", async () => {
  const id = await sell(shop, seller);
  const stranger = await createMember(shop, { accountType: "seller" });
  const refused = [
    () => errorOf(stranger.call(deleteProduct, { params: { id } })),
    () => errorOf(stranger.call(toggleAdvertise, { body: { id, advertiseStatus: false } })),
  ];
  for (const work of refused) expect(await clearsBy(work)).toEqual(nothing);
});

test("a write that leaves everything as it was clears nothing", async () => {
  const { name, email, cookie } = await createMember(shop);
  const sameName = async () => {
    const answer = await fetch(`${shop.url}/api/users`, {
      method: "PUT",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ name, email, accountType: "buyer" }),
    });
    expect(await answer.json()).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
  };
  expect(await clearsBy(sameName)).toEqual(nothing);
  const updates = [
    "update products set product_name = product_name",
    "update products set product_name = 'x' where false",
    "delete from products where false",
    "update members set name = name",
  ];
  for (const sql of updates) expect(await clearsBy(() => shop.pool.query(sql))).toEqual(nothing);
});
