import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect } from "vitest";
import { bookProduct, cancelBooking, listBookings } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import type { CallError } from "#contract/client.ts";
import { listSellerProducts, toggleAdvertise } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, cancelHold, goodLaptop, orderFor } from "../../testing/marketplace.ts";
import { anyCategory, createVisitor, errorOf, member } from "../../testing/people.ts";

const test = shopTest().extend("seller", { scope: "file" }, ({ shop }) =>
  member(shop, { accountType: "seller", verify: true }),
);

const order = (product: string, changes = {}) => ({ body: { ...orderFor(product), ...changes } });

describe("holding a laptop", () => {
  test("§7.18: if 30 buyers book concurrently, one gets the hold and 29 get PRODUCT_TAKEN", async ({
    shop,
    seller,
  }) => {
    const product = await insertLaptop(shop, seller);
    const buyers = await Promise.all(Array.from({ length: 30 }, () => member(shop)));
    const asked = await Promise.all(
      buyers.map((buyer) =>
        buyer.send(bookProduct, order(product)).then(
          ({ status }) => status,
          (error: CallError) => `${error.status} ${error.code}`,
        ),
      ),
    );
    expect(asked.filter((answer) => answer === 201)).toHaveLength(1);
    expect(asked.filter((answer) => answer === "409 PRODUCT_TAKEN")).toHaveLength(29);
  });

  test("§10.15: repeated booking requests return the same live booking, even if they are concurrent", async ({
    shop,
    seller,
  }) => {
    const product = await insertLaptop(shop, seller);
    const buyer = await member(shop);
    const asked = await Promise.all([1, 2, 3].map(() => buyer.send(bookProduct, order(product))));
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(asked.map(({ body }) => body.insertedId)).size).toBe(1);
  });

  test("a held laptop isn't listed and can't be advertised, and the database rejects a second live booking", async ({
    shop,
    seller,
  }) => {
    const product = await insertLaptop(shop, seller);
    const buyer = await member(shop);
    await buyer.call(bookProduct, order(product));
    const listed = await createVisitor(shop).call(listCategoryProducts, {
      params: { id: await anyCategory(shop) },
      query: { limit: 100 },
    });
    expect(listed.map(({ _id }) => _id)).not.toContain(product);
    const refused = await errorOf(
      seller.call(toggleAdvertise, { body: { id: product, advertiseStatus: false } }),
    );
    expect(refused).toMatchObject({ status: 409, code: "STALE" });
    const another = shop.pool.query(
      `insert into bookings (id, product_id, buyer_id, price_cents, phone, location, booked_at, held_until)
      select gen_random_uuid(), product_id, buyer_id, price_cents, phone, location, booked_at, held_until
      from bookings where product_id = $1`,
      [product],
    );
    await expect(another).rejects.toMatchObject({ constraint: "bookings_one_live_per_product" });
  });

  test("a booking at an outdated price fails with PRICE_CHANGED", async ({ shop, seller }) => {
    const cheaper = order(await insertLaptop(shop, seller), { price: 1 });
    expect(await errorOf((await member(shop)).call(bookProduct, cheaper))).toMatchObject({
      status: 409,
      code: "PRICE_CHANGED",
      message: expect.stringContaining("$640"),
    });
  });

  test("§10.13: a buyer can't have more than five unpaid holds", async ({ shop, seller }) => {
    const buyer = await member(shop);
    const held: string[] = [];
    for (let count = 0; count < 5; count += 1)
      held.push(await bookLaptop(buyer, await insertLaptop(shop, seller)));
    const sixth = order(await insertLaptop(shop, seller));
    expect(await errorOf(buyer.call(bookProduct, sixth))).toMatchObject({
      status: 409,
      code: "TOO_MANY_HOLDS",
    });
    await buyer.call(cancelBooking, { params: { id: held[0] ?? "" } });
    expect(await buyer.send(bookProduct, sixth)).toMatchObject({ status: 201 });
  });

  test("§7.19 §3.4: a booking ignores any buyer or state that the client sends", async ({
    shop,
    seller,
  }) => {
    const product = await insertLaptop(shop, seller);
    const buyer = await member(shop);
    const hostile = { name: "Mallory", email: "mallory@example.com", paid: true };
    await buyer.call(bookProduct, order(product, { ...hostile, state: "completed" }));
    const [booking] = await buyer.call(listBookings, { params: { email: buyer.email } });
    expect(booking).toMatchObject({
      name: buyer.name,
      email: buyer.email,
      price: 640,
      phone: "5550177",
      location: "Union Station, under the clock",
      paid: false,
      bookingProduct: { ...goodLaptop, _id: product, seller_name: seller.name },
      state: "held",
    });
  });
});

describe("a hold that expires or is canceled", () => {
  test("§10.10: an overdue hold counts as expired even before the expiry job runs", async ({
    shop,
    seller,
  }) => {
    const product = await insertLaptop(shop, seller);
    const buyer = await member(shop);
    await buyer.call(bookProduct, order(product));
    shop.clock.advance(1440);
    const [late] = await buyer.call(listBookings, { params: { email: buyer.email } });
    expect(late).toMatchObject({ state: "expired" });
    expect(late?.bookingProduct.sellerEmail).toBeUndefined();
    const own = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(own.find(({ _id }) => _id === product)?.deal).toBeNull();
    const next = await member(shop);
    expect(await next.send(bookProduct, order(product))).toMatchObject({ status: 201 });
  });

  test("§10.11: the buyer and the seller can cancel a hold, and a stranger can't", async ({
    shop,
    seller,
  }) => {
    const product = await insertLaptop(shop, seller);
    const buyer = await member(shop);
    const params = { params: { id: await bookLaptop(buyer, product) } };
    const stranger = await member(shop);
    expect(await errorOf(stranger.call(cancelBooking, params))).toMatchObject({ status: 404 });
    await seller.call(cancelBooking, params);
    const [ended] = await buyer.call(listBookings, { params: { email: buyer.email } });
    expect(ended).toMatchObject({ state: "cancelled", cancelledBy: "seller" });
    expect(await errorOf(buyer.call(cancelBooking, params))).toMatchObject({ status: 409 });
    await cancelHold(buyer, await bookLaptop(buyer, product));
    const all = await buyer.call(listBookings, { params: { email: buyer.email } });
    expect(all.map(({ cancelledBy }) => cancelledBy).sort()).toEqual(["buyer", "seller"]);
  });
});

test("only booking-columns.ts compares a hold's end time with the current time", async () => {
  const comparisons = /held_?until["'\s,]*["'(]?\s*(?:<=?|>=?)["',\s$({]*(?:now|at\b|clock|deps)/i;
  const files = globSync("{server,demo}/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const found: string[] = [];
  for (const file of files) if (comparisons.test(await readFile(file, "utf8"))) found.push(file);
  expect(found).toEqual(["server/features/deals/booking-columns.ts"]);
});
