import { expect } from "vitest";
import { cancelBooking, findBookingToPay } from "#contract/bookings.ts";
import { deal } from "../../testing/deal.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { orderFor } from "../../testing/marketplace.ts";
import { member, type Person } from "../../testing/people.ts";
import { countRoundTrips } from "../../testing/statements.ts";
import { findMemberByEmail } from "../members/members.ts";
import { bookProduct as holdProduct } from "./book-product.ts";
import { expireHold } from "./end-hold.ts";

const test = shopTest({
  sandbox: true,
  env: { RATE_LIMIT: "on", TRUST_PROXY: "loopback" },
}).extend(
  "book",
  ({ shop, seller }) =>
    async (buyer: Person, { at = "203.0.113.7", from = seller } = {}): Promise<string> => {
      const answer = await fetch(`${shop.url}/api/bookingProducts`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${await buyer.token()}`,
          "content-type": "application/json",
          "x-forwarded-for": at,
        },
        body: JSON.stringify(orderFor(await insertLaptop(shop, from))),
      });
      const { insertedId, message } = (await answer.json()) as Record<string, string>;
      return `${answer.status} ${insertedId ?? message}`;
    },
);
test.beforeEach(({ shop }) => shop.pool.query("update bookings set network = null"));

const bookingIn = (answer: string) => answer.replace("201 ", "");
const letGo = (buyer: Person, answer: string) =>
  buyer.call(cancelBooking, { params: { id: bookingIn(answer) } });

test("§10.13: accounts on one network can hold ten laptops in total, and ending a hold frees a slot and deletes the stored network", async ({
  shop,
  book,
}) => {
  const buyers = await Promise.all(Array.from({ length: 12 }, () => member(shop)));
  const asked = await Promise.all(
    buyers.map(async (buyer) => ({ buyer, told: await book(buyer) })),
  );
  const held = asked.filter(({ told }) => told.startsWith("201"));
  const refused = asked.filter(({ told }) => told.startsWith("409"));
  expect([held.length, refused.length]).toEqual([10, 2]);
  expect(refused[0]?.told).toMatch(/^409 10 laptops are already on hold from your network\./);
  const [first] = held;
  const [last] = refused;
  if (!first || !last) throw new Error("expected held and refused bookings");
  expect(await book(last.buyer, { at: "198.51.100.9" })).toMatch(/^201/);
  await letGo(first.buyer, first.told);
  const { rows } = await shop.pool.query("select network from bookings where id = $1", [
    bookingIn(first.told),
  ]);
  expect(rows).toEqual([{ network: null }]);
  expect(await book(last.buyer)).toMatch(/^201/);
});

test("a buyer who cancels three holds within a day gets a growing cooldown, which ignores holds that the seller cancels", async ({
  shop,
  seller,
  book,
}) => {
  const buyer = await member(shop);
  const first = await book(buyer);
  await seller.call(cancelBooking, { params: { id: bookingIn(first) } });
  for (let times = 0; times < 2; times += 1) await letGo(buyer, await book(buyer));
  const third = await book(buyer);
  expect(third).toMatch(/^201/);
  await letGo(buyer, third);
  const message = "429 You canceled 3 holds or let them expire within a day. You can book again in";
  expect(await book(buyer)).toBe(`${message} 60 minutes.`);
  shop.clock.advance(59);
  expect(await book(buyer)).toBe(`${message} a minute.`);
  shop.clock.advance(1);
  await letGo(buyer, await book(buyer));
  expect(await book(buyer)).toBe(
    "429 You canceled 4 holds or let them expire within a day. You can book again in 2 hours.",
  );
  shop.clock.advance(24 * 60);
  expect(await book(buyer)).toMatch(/^201/);
});

test("an overdue hold counts toward the cooldown even before the expiry job runs", async ({
  shop,
  book,
}) => {
  const buyer = await member(shop);
  const held = [await book(buyer), await book(buyer), await book(buyer)];
  shop.clock.advance(shop.deps.config.times.holdHours * 60);
  expect(await book(buyer)).toMatch(/^429 You canceled 3 holds/);
  for (const one of held) await expireHold(shop.deps, bookingIn(one));
  expect(await book(buyer)).toMatch(/^429 You canceled 3 holds/);
});

test("§10.12: a buyer sees five sellers' contact details a day, and a sixth seller's only after paying", async ({
  shop,
  book,
}) => {
  const buyer = await member(shop);
  const orderOf = (id: string) => buyer.call(findBookingToPay, { params: { id } });
  const sellers = await Promise.all(
    Array.from({ length: 6 }, () => member(shop, { accountType: "seller" })),
  );
  const held: string[] = [];
  for (const from of sellers.slice(0, 5)) held.push(bookingIn(await book(buyer, { from })));
  for (const id of held)
    expect(await orderOf(id)).toMatchObject({
      contactAfterPayment: false,
      bookingProduct: { mobile_number: expect.any(String) },
    });
  const [one = "", ...kept] = held;
  await buyer.call(cancelBooking, { params: { id: one } });
  const [, , , , , sixth] = sellers;
  if (!sixth) throw new Error("expected six sellers");
  const sale = await deal(shop, "held", { seller: sixth, buyer });
  const hidden = await orderOf(sale.booking);
  expect(hidden.contactAfterPayment).toBe(true);
  expect(hidden.bookingProduct).not.toHaveProperty("mobile_number");
  expect(hidden.bookingProduct).not.toHaveProperty("sellerEmail");
  expect((await orderOf(kept[0] ?? "")).bookingProduct.mobile_number).toBeDefined();
  await sale.pay();
  const paid = await orderOf(sale.booking);
  expect(paid.contactAfterPayment).toBe(false);
  expect(paid.bookingProduct.sellerEmail).toBe(sixth.email);
});

test("§10.12: accounts on one network share a daily limit of ten sellers' contact details, separate from other networks", async ({
  shop,
  book,
}) => {
  const sellers = await Promise.all(
    Array.from({ length: 12 }, () => member(shop, { accountType: "seller" })),
  );
  const at = "203.0.113.77";
  const seen = new Set<string>();
  // Consecutive buyers share one seller, who counts only once.
  for (const first of [0, 4, 8]) {
    const buyer = await member(shop);
    for (const from of sellers.slice(first, first + 5)) {
      const id = bookingIn(await book(buyer, { at, from }));
      const order = await buyer.call(findBookingToPay, { params: { id } });
      if (order.bookingProduct.sellerEmail) seen.add(order.bookingProduct.sellerEmail);
      await shop.pool.query("update bookings set network = null");
    }
  }
  expect([...seen].sort()).toEqual(
    sellers
      .slice(0, 10)
      .map(({ email }) => email)
      .sort(),
  );
  const last = sellers.at(-1);
  if (!last) throw new Error("expected twelve sellers");
  const elsewhere = await member(shop);
  const id = bookingIn(await book(elsewhere, { at: "198.51.100.78", from: last }));
  const order = await elsewhere.call(findBookingToPay, { params: { id } });
  expect(order.bookingProduct.sellerEmail).toBe(last.email);
});

test("a booking within all limits takes eight database round trips", async ({ shop, seller }) => {
  const { email } = await member(shop);
  const buyer = await findMemberByEmail(shop.deps.db, email);
  if (!buyer) throw new Error("the buyer is not a member");
  const product = await insertLaptop(shop, seller);
  const order = { price: 640, phone: "5550123", location: "Station", network: "203.0.113.99" };
  const roundTrips = countRoundTrips(shop.pool);
  await holdProduct(shop.deps, buyer, { ...order, bookingProduct: { _id: product } });
  expect(roundTrips()).toBe(8);
});
