import { afterAll, expect, test } from "vitest";
import { cancelBooking } from "#contract/bookings.ts";
import { toggleSuspension } from "#contract/members.ts";
import { deleteProduct, toggleAdvertise } from "#contract/products.ts";
import { copyLaptop } from "../testing/insert-laptop.ts";
import { bookLaptop, listing } from "../testing/marketplace.ts";
import { errorOf, member, type Person } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";

const shop = await openShop();
afterAll(() => shop.close());
const seller = await member(shop, { accountType: "seller" });
const categories = await shop.deps.db.selectFrom("categories").select("id").execute();

const listings = `seller-listings:${seller.id}`;
const category = (index: number) => categories[index]?.id ?? "";

async function changeCount(): Promise<number> {
  return (await shop.deps.db.selectFrom("public_changes").select("at").execute()).length;
}

async function changesBy(work: () => Promise<unknown>): Promise<string[][]> {
  const before = await changeCount();
  await work();
  const { rows } = await shop.pool.query<{ tags: string[] }>(
    "select tags from public_changes order by at offset $1",
    [before],
  );
  // Deal tags are for members' event streams, not for public responses.
  const isPublic = (tag: string) => !tag.startsWith("deals:");
  return rows.map(({ tags }) => tags.filter(isPublic).sort()).filter(({ length }) => length > 0);
}

async function deleteWithKey(id: string, key: string): Promise<number> {
  const { status } = await fetch(`${shop.url}/api/products/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${await seller.token()}`, "idempotency-key": key },
  });
  return status;
}

async function book(id: string): Promise<{ buyer: Person; booking: string }> {
  const buyer = await member(shop);
  return { buyer, booking: await bookLaptop(buyer, id) };
}

test("deleting a laptop records one change, and a retry with the same Idempotency-Key records none", async () => {
  const id = await listing(seller);
  expect(await changesBy(() => deleteWithKey(id, "one"))).toEqual([[`product:${id}`]]);
  const replays = async () => {
    for (let n = 0; n < 5; n += 1) expect(await deleteWithKey(id, "one")).toBe(200);
  };
  expect(await changesBy(replays)).toEqual([]);
});

test("a laptop that becomes available invalidates its category, and a hold invalidates the responses that show the laptop", async () => {
  let id = "";
  const [list, advertised] = [`category:${category(1)}`, "advertised"];
  const add = async () => {
    id = await listing(seller, { product_categoryId: category(1) });
  };
  expect(await changesBy(add)).toEqual([[list, listings]]);
  const advertise = () => seller.call(toggleAdvertise, { body: { id, advertiseStatus: false } });
  expect(await changesBy(advertise)).toEqual([[advertised, `product:${id}`]]);
  let held: Awaited<ReturnType<typeof book>> | undefined;
  const hold = async () => {
    held = await book(id);
  };
  expect(await changesBy(hold)).toEqual([[`product:${id}`]]);
  const cancel = () => held?.buyer.call(cancelBooking, { params: { id: held.booking } });
  expect(await changesBy(async () => cancel())).toEqual([
    [advertised, list, listings, `product:${id}`].sort(),
  ]);
});

test("suspending a seller invalidates every list that contains the seller's laptops, including held ones", async () => {
  const other = await member(shop, { accountType: "seller" });
  const admin = await member(shop, { isAdmin: true });
  const listed = await listing(other, { product_categoryId: category(2) });
  const held = await listing(other, { product_categoryId: category(3) });
  await book(held);
  const suspend = () => admin.call(toggleSuspension, { body: { id: other.id, suspended: false } });
  expect((await changesBy(suspend))[0]).toEqual(
    [
      "advertised",
      `category:${category(2)}`,
      `category:${category(3)}`,
      `product:${listed}`,
      `product:${held}`,
      `seller:${other.id}`,
    ].sort(),
  );
});

test("a write that is rejected or leaves all values as they were records no change", async () => {
  const id = await listing(seller);
  const stranger = await member(shop, { accountType: "seller" });
  const refused = [
    () => errorOf(stranger.call(deleteProduct, { params: { id } })),
    () => errorOf(stranger.call(toggleAdvertise, { body: { id, advertiseStatus: false } })),
  ];
  for (const work of refused) expect(await changesBy(work)).toEqual([]);
  const { name, email, cookie } = await member(shop);
  const sameName = async () => {
    const answer = await fetch(`${shop.url}/api/users`, {
      method: "PUT",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ name, email, accountType: "buyer" }),
    });
    expect(await answer.json()).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
  };
  expect(await changesBy(sameName)).toEqual([]);
  const updates = [
    "update products set product_name = product_name",
    "update products set product_name = 'x' where false",
    "delete from products where false",
    "update members set name = name",
    "update categories set product_category = product_category",
  ];
  for (const sql of updates) expect(await changesBy(() => shop.pool.query(sql))).toEqual([]);
});

test("an update of over 100 laptops invalidates all public responses", async () => {
  const id = await listing(seller, { product_categoryId: category(4) });
  expect(await changesBy(() => copyLaptop(shop, id, { count: 101 }))).toEqual([
    [`category:${category(4)}`, listings],
  ]);
  const change = "update products set location = 'York' where category_id = $1";
  expect(await changesBy(() => shop.pool.query(change, [category(4)]))).toEqual([["all"]]);
});

test("a booking leaves other categories' responses in the cache", async () => {
  const { addresses } = shop.deps.publicCache;
  const paths = [5, 6].map((index) => `/api/categoryProducts/${category(index)}`);
  const products = [];
  for (const index of [5, 6])
    products.push(await listing(seller, { product_categoryId: category(index) }));
  const isCached = (path: string) => {
    const key = addresses.find(path)?.key ?? "";
    return shop.deps.publicCache.hit(key) !== undefined;
  };
  for (const path of paths) {
    await fetch(`${shop.url}${path}`);
    await expect.poll(() => isCached(path)).toBe(true);
  }
  await book(products[0] ?? "");
  // The booking call has already read the changes.
  expect(paths.map(isCached)).toEqual([false, true]);
});

test("a list page loses its next-page link when the only laptop on the next page is deleted", async () => {
  const ids = [];
  for (let n = 0; n < 2; n += 1) {
    shop.clock.advance(1);
    ids.push(await listing(seller, { product_categoryId: category(7) }));
  }
  const first = () => fetch(`${shop.url}/api/categoryProducts/${category(7)}?limit=1`);
  expect((await first()).headers.get("link")).toContain("cursor=");
  await seller.call(deleteProduct, { params: { id: ids[0] ?? "" } });
  expect((await first()).headers.get("link")).toBeNull();
});
