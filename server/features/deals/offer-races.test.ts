import { expect } from "vitest";
import { bookProduct } from "#contract/bookings.ts";
import { acceptOffer, counterOffer, declineOffer, withdrawOffer } from "#contract/offers.ts";
import { editProduct } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { draftListing, listing, orderFor } from "../../testing/marketplace.ts";
import { member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { offerFor } from "./testing.ts";

const test = shopTest();

const accept = (someone: Person, id: string) => someone.call(acceptOffer, { params: { id } });

async function outcome({ pool }: Shop, product: string) {
  const bookings = await pool.query(
    "select id, buyer_id, price_cents from bookings where product_id = $1 and state = 'held'",
    [product],
  );
  const accepted = await pool.query(
    "select id, buyer_id, price_cents, booking_id from offers where product_id = $1 and state = 'accepted'",
    [product],
  );
  const open = await pool.query("select id from offers where product_id = $1 and state = 'open'", [
    product,
  ]);
  return { bookings: bookings.rows, accepted: accepted.rows, open: open.rows };
}

/** Locks the laptop's row until all requests wait for the lock, so that they race. */
async function atTheClaim(shop: Shop, product: string, rivals: (() => Promise<unknown>)[]) {
  const client = await shop.pool.connect();
  await client.query("begin");
  await client.query("select from products where id = $1 for update", [product]);
  const running = Promise.allSettled(rivals.map((rival) => rival()));
  await expect
    .poll(async () => {
      const { rows } = await shop.pool.query(
        "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows[0].waiting;
    })
    .toBeGreaterThanOrEqual(rivals.length);
  await client.query("rollback");
  client.release();
  return await running;
}

test("if a seller accepts two offers concurrently, one buyer gets the laptop at the price of that buyer's offer", async ({
  shop,
  seller,
}) => {
  const product = await listing(seller);
  const buyers = [await member(shop), await member(shop)];
  const ids = [
    await offerFor(buyers[0] as Person, product, 500),
    await offerFor(buyers[1] as Person, product, 520),
  ];
  const results = await atTheClaim(
    shop,
    product,
    ids.map((id) => () => accept(seller, id)),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const { bookings, accepted, open } = await outcome(shop, product);
  expect([bookings.length, accepted.length, open.length]).toEqual([1, 1, 0]);
  expect(accepted[0]).toMatchObject({
    booking_id: bookings[0].id,
    buyer_id: bookings[0].buyer_id,
    price_cents: bookings[0].price_cents,
  });
});

test("accepting an offer while another buyer books the laptop leaves one hold", async ({
  shop,
  seller,
}) => {
  const product = await listing(seller);
  const [buyer, other] = [await member(shop), await member(shop)];
  const id = await offerFor(buyer, product);
  const results = await atTheClaim(shop, product, [
    () => accept(seller, id),
    () => other.call(bookProduct, { body: orderFor(product) }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const { bookings, accepted, open } = await outcome(shop, product);
  expect([bookings.length, open.length]).toEqual([1, 0]);
  expect(accepted.length).toBe(bookings[0].buyer_id === buyer.id ? 1 : 0);
  expect(bookings[0].price_cents).toBe(bookings[0].buyer_id === buyer.id ? 50_000 : 64_000);
});

test("accepting an offer while the same buyer books the laptop leaves one hold, at the winning request's price", async ({
  shop,
  seller,
}) => {
  for (let round = 0; round < 4; round += 1) {
    const [buyer, product] = [await member(shop), await listing(seller)];
    const id = await offerFor(buyer, product);
    await Promise.allSettled([
      accept(seller, id),
      buyer.call(bookProduct, { body: orderFor(product) }),
    ]);
    const { bookings, accepted, open } = await outcome(shop, product);
    expect([bookings.length, open.length]).toEqual([1, 0]);
    expect(bookings[0].price_cents).toBe(accepted.length === 1 ? 50_000 : 64_000);
  }
});

test("only one of several concurrent answers to an offer succeeds", async ({ shop, seller }) => {
  for (let round = 0; round < 4; round += 1) {
    const [buyer, product] = [await member(shop), await listing(seller)];
    const id = await offerFor(buyer, product);
    const results = await Promise.allSettled([
      accept(seller, id),
      seller.call(declineOffer, { params: { id } }),
      seller.call(counterOffer, { params: { id }, body: { price: 600 } }),
      buyer.call(withdrawOffer, { params: { id } }),
    ]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { bookings, accepted } = await outcome(shop, product);
    expect(accepted.length).toBe(bookings.length);
  }
});

test("lowering the price while an offer is accepted or countered doesn't deadlock", async ({
  shop,
  seller,
}) => {
  for (let round = 0; round < 4; round += 1) {
    const [buyer, product] = [await member(shop), await listing(seller)];
    const id = await offerFor(buyer, product);
    const body = await draftListing(seller, { resale_price: 450 });
    const results = await Promise.allSettled([
      seller.call(editProduct, { params: { id: product }, body }),
      round % 2 === 0
        ? accept(seller, id)
        : seller.call(counterOffer, { params: { id }, body: { price: 600 } }),
    ]);
    const codes = results.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(codes.every((code) => ["STALE", "PRICE_CHANGED", "IN_USE"].includes(code))).toBe(true);
    const { bookings, open } = await outcome(shop, product);
    // If an offer is still open, the price edit must have failed: the offer exceeds the new price.
    if (open.length > 0) expect(codes).toHaveLength(1);
    expect(bookings.length + open.length).toBeLessThanOrEqual(1);
  }
});
