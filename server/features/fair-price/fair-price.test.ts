import { expect } from "vitest";
import { readFairPrice } from "#contract/fair-price.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { laptopPath } from "#contract/page-paths.ts";
import { newId } from "../../db/ids.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { anyCategory, member, type Person } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { refreshFairPrices } from "./fair-price.ts";

const test = shopTest({ pages: true });

type Sold = { product_name: string; dollars: number; count: number };

async function sell(
  shop: Shop,
  [seller, buyer]: [Person, Person],
  { product_name, dollars, count }: Sold,
) {
  const { db } = shop.deps;
  const at = shop.clock.now();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const what = { product_name, sales_status: "sold" as const };
    const product_id = await insertLaptop(shop, seller, what);
    const id = newId(at);
    const price_cents = Math.round(100 * dollars * (1 + ((n % 5) - 2) / 50));
    const where = { phone: "5550177", location: "Leeds", buyer_id: buyer.id };
    await db
      .insertInto("bookings")
      .values({
        id,
        product_id,
        ...where,
        price_cents,
        state: "completed",
        booked_at: at,
        held_until: at,
      })
      .execute();
    ids.push(id);
  }
  return ids;
}

const offer = (shop: Shop, seller: Person, product_name: string, dollars: number) =>
  insertLaptop(shop, seller, { product_name, resale_cents: dollars * 100 });

const fairPrice = async (someone: Person, id: string) => {
  const laptop = await someone.call(readProduct, { params: { id } });
  return laptop.withdrawn ? undefined : laptop.fairPrice;
};

const queryFor = async (shop: Shop, name: string) => ({
  category: await anyCategory(shop),
  name,
  condition: "Good" as const,
  originalPrice: 1829,
  useDuration: 30,
  yearOfPurchase: 2024,
});

test("a laptop page shows the model's price range, or a wider group's if the model has fewer than eight sales", async ({
  shop,
  seller,
  buyer,
}) => {
  const people: [Person, Person] = [seller, buyer];
  await sell(shop, people, { product_name: "ThinkPad T480", dollars: 300, count: 40 });
  await sell(shop, people, { product_name: "ThinkPad T490", dollars: 420, count: 7 });
  const [common, rare, other] = [
    await offer(shop, seller, "ThinkPad T480, i5", 500),
    await offer(shop, seller, "ThinkPad T490", 400),
    await offer(shop, seller, "MacBook Air M2", 700),
  ];
  expect((await fairPrice(buyer, common))?.range).toBeNull();
  await refreshFairPrices(shop.deps);
  shop.deps.publicCache.clear();
  const range = (await fairPrice(buyer, common))?.range;
  expect(range).toMatchObject({ level: "model", sales: 40 });
  expect(range?.low).toBeGreaterThan(270);
  expect(range?.high).toBeLessThan(330);
  const wider = (await fairPrice(buyer, rare))?.range;
  expect(wider).toMatchObject({ level: "line", sales: 47 });
  expect(wider?.low).toBeGreaterThan(range?.high ?? 0);
  expect((await fairPrice(buyer, other))?.range).toBeNull();
  const page = await fetch(`${shop.url}${laptopPath(common, "ThinkPad T480, i5")}`);
  const html = await page.text();
  expect(html).toContain("Above the usual price.");
  expect(html).toContain("40 laptops of this model were sold here");
  const query = await queryFor(shop, "Lenovo ThinkPad T480");
  expect((await seller.call(readFairPrice, { query })).range).toMatchObject({ level: "model" });
});

test("the facts that a seller enters affect the price range even before the laptop is listed", async ({
  onTestFinished,
}) => {
  // Opens a new shop, so that no other sales affect the prices.
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const seller = await member(shop, { accountType: "seller" });
  const people: [Person, Person] = [seller, await member(shop)];
  for (const [size, dollars] of [
    [8, 300],
    [32, 600],
  ] as const) {
    const product_name = `Latitude 5420 ${size} GB RAM`;
    await sell(shop, people, { product_name, dollars, count: 30 });
  }
  await refreshFairPrices(shop.deps);
  const query = await queryFor(shop, "Latitude 5420");
  const rangeFor = async (facts: Record<string, string | number>) =>
    (await seller.call(readFairPrice, { query: { ...query, ...facts } })).range;
  const [small, large] = [await rangeFor({ ram_gb: "8" }), await rangeFor({ ram_gb: "32" })];
  expect(large?.low).toBeGreaterThan(1.5 * (small?.low ?? 0));
  const elsewhere = { name: "Like new", brand: "Dell", model_line: "Latitude 5420", ram_gb: "32" };
  expect(await rangeFor(elsewhere)).toMatchObject({ level: "model", sales: 60 });
  expect(await rangeFor({ name: "Like new" })).not.toMatchObject({ level: "model" });
});

test("each nightly refresh adds new sales to the price range, and invalidates no cached page", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await offer(shop, seller, "Latitude 7420", 450);
  for (const [count, sales] of [
    [40, 40],
    [1, 41],
  ] as const) {
    await sell(shop, [seller, buyer], { product_name: "Latitude 7420", dollars: 450, count });
    await shop.pool.query("delete from public_changes");
    await refreshFairPrices(shop.deps);
    expect((await shop.pool.query("select from public_changes")).rowCount).toBe(0);
    shop.deps.publicCache.clear();
    expect((await fairPrice(buyer, id))?.range).toMatchObject({ level: "model", sales });
  }
});
