import { expect, onTestFinished } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { bookProduct, findBookingToPay } from "#contract/bookings.ts";
import { deleteUser, toggleSuspension } from "#contract/members.ts";
import {
  acceptOffer,
  counterOffer,
  declineOffer,
  listOffers,
  withdrawOffer,
} from "#contract/offers.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import {
  deleteProduct,
  editProduct,
  listSellerProducts,
  takeDownProduct,
} from "#contract/products.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, draftListing, openPayment, orderFor } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { countLockWaits } from "../../testing/test-connections.ts";
import { ask, block } from "../messages/testing.ts";
import { expireOffer } from "./answer-offer.ts";
import { offerFor } from "./testing.ts";

const test = dealTest();

const accept = async (someone: Person, id: string) =>
  (await someone.call(acceptOffer, { params: { id } })).insertedId;
const offersOf = (someone: Person) => someone.call(listOffers, {});
/** Changes the price, and keeps the photo path that `insertLaptop` stores. */
async function changePrice(seller: Person, id: string, resale_price: number) {
  const body = await draftListing(seller, { img: "/images/none.jpg", resale_price });
  await seller.call(editProduct, { params: { id }, body });
}
const counter = (someone: Person, id: string, price: number) =>
  someone.call(counterOffer, { params: { id }, body: { price } });
const stateOf = async (someone: Person, id: string) =>
  (await offersOf(someone)).find((offer) => offer._id === id)?.state;

test("accepting an offer holds the laptop at the offered price and the current fee, and the buyer pays that price", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await offerFor(buyer, await insertLaptop(shop, seller), 499.5);
  const [seen] = await offersOf(seller);
  expect(seen).toMatchObject({ price: 499.5, role: "seller", mine: false, state: "open" });
  // The buyer's phone and meeting place stay hidden until the hold.
  expect(JSON.stringify(seen)).not.toMatch(/5550177|Union Station/);
  const { settlement } = shop.deps.config;
  shop.deps.config.settlement = { ...settlement, feePercent: 10 };
  const bookingId = await accept(seller, id);
  shop.deps.config.settlement = settlement;
  expect(await accept(seller, id)).toBe(bookingId);
  const [listed] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  const terms = { price: 499.5, fee: 49.95, gets: 449.55 };
  expect(listed).toMatchObject({ resale_price: 640, deal: terms });
  const read = () => buyer.call(findBookingToPay, { params: { id: bookingId } });
  expect(await read()).toMatchObject({ price: 499.5, phone: "5550177", state: "held" });
  expect(await stateOf(buyer, id)).toBe("accepted");
  const wrong = buyer.call(createPaymentIntent, { body: { price: 640, bookingId } });
  expect(await errorOf(wrong)).toMatchObject({
    code: "PRICE_CHANGED",
    message: "The amount due is $499.50.",
  });
  const intent = await openPayment(buyer, bookingId, 499.5);
  await shop.cards.pay(intent);
  const body = { price: 499.5, transactionId: intent, bookingId };
  await buyer.call(recordPayment, { body });
  expect(await read()).toMatchObject({ price: 499.5, paid: true });
  const { rows } = await shop.pool.query(
    "select amount_cents from payments where booking_id = $1",
    [bookingId],
  );
  expect(rows).toEqual([{ amount_cents: 49_950 }]);
  const held = await shop.pool.query(
    "select cents from ledger_entries join ledger_journals on id = journal_id where booking_id = $1 and cents > 0",
    [bookingId],
  );
  expect(held.rows).toEqual([{ cents: "49950" }]);
});

test("only the recipient of the latest price can counter or accept it", async ({
  shop,
  seller,
  buyer,
}) => {
  const first = await offerFor(buyer, await insertLaptop(shop, seller), 400);
  expect((await errorOf(counter(buyer, first, 450))).code).toBe("STALE");
  const { insertedId: second } = await counter(seller, first, 550);
  expect(await stateOf(buyer, first)).toBe("countered");
  expect((await errorOf(accept(seller, second))).code).toBe("STALE");
  const { insertedId: third } = await counter(buyer, second, 500);
  const booking = await accept(seller, third);
  const order = await buyer.call(findBookingToPay, { params: { id: booking } });
  expect(order).toMatchObject({ price: 500, location: "Union Station, under the clock" });
  const became = (await offersOf(buyer)).map(({ state, price }) => `${price} ${state}`);
  expect(new Set(became)).toEqual(new Set(["500 accepted", "550 countered", "400 countered"]));
});

test("a counteroffer must be better for its maker than the offer it answers", async ({
  shop,
  seller,
  buyer,
}) => {
  const first = await offerFor(buyer, await insertLaptop(shop, seller), 450);
  const refused = (message: string) => ({
    code: "INVALID_INPUT",
    message,
    fields: { price: message },
  });
  const low = refused("They've already offered $450. Accept it or name a higher price.");
  for (const price of [440, 450])
    expect(await errorOf(counter(seller, first, price))).toMatchObject(low);
  const { insertedId: second } = await counter(seller, first, 500);
  const high = refused("They're only asking $500. Accept it or name a lower price.");
  for (const price of [500, 510, 700])
    expect(await errorOf(counter(buyer, second, price))).toMatchObject(high);
  expect(await stateOf(buyer, second)).toBe("open");
});

test("a buyer can accept a seller's counteroffer even after the listed price has gone up", async ({
  shop,
  seller,
  buyer,
}) => {
  const product = await insertLaptop(shop, seller);
  const { insertedId } = await counter(seller, await offerFor(buyer, product, 400), 600);
  await changePrice(seller, product, 700);
  const booking = await accept(buyer, insertedId);
  expect((await buyer.call(findBookingToPay, { params: { id: booking } })).price).toBe(600);
});

test("a buyer can have one open offer per laptop, below its listed price, and can withdraw it to make another", async ({
  shop,
  seller,
  buyer,
}) => {
  const product = await insertLaptop(shop, seller);
  expect(await errorOf(offerFor(buyer, product, 640))).toMatchObject({
    code: "PRICE_CHANGED",
    fields: { price: "The price is $640. An offer has to be lower." },
  });
  const both = await Promise.allSettled([
    offerFor(buyer, product, 500),
    offerFor(buyer, product, 510),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await errorOf(offerFor(buyer, product))).code).toBe("ALREADY_OFFERED");
  const [open] = await offersOf(buyer);
  await buyer.call(withdrawOffer, { params: { id: String(open?._id) } });
  await offerFor(buyer, product);
});

test("a buyer can make five offers a day for a laptop; counteroffers count, but offers that the shop rejects don't", async ({
  shop,
  seller,
}) => {
  const limited = await openShop({ beside: shop, env: { RATE_LIMIT: "on" } });
  onTestFinished(() => limited.close());
  const [buyer, product] = [await member(limited), await insertLaptop(shop, seller)];
  for (const price of [640, 650, 660])
    expect((await errorOf(offerFor(buyer, product, price))).code).toBe("PRICE_CHANGED");
  for (const price of [400, 410, 420]) {
    const id = await offerFor(buyer, product, price);
    await buyer.call(withdrawOffer, { params: { id } });
  }
  const fourth = await offerFor(buyer, product, 430);
  const answered = await counter(seller, fourth, 600);
  const fifth = await counter(buyer, answered.insertedId, 440);
  const again = await counter(seller, fifth.insertedId, 590);
  const code = "TOO_MANY_REQUESTS";
  expect(await errorOf(counter(buyer, again.insertedId, 450))).toMatchObject({ code });
  expect(await stateOf(buyer, again.insertedId)).toBe("open");
  await offerFor(buyer, await insertLaptop(shop, seller));
  shop.clock.advance(24 * 60);
  await counter(buyer, again.insertedId, 450);
});

test("only the recipient can answer an offer, and only while the offer is open", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await offerFor(buyer, await insertLaptop(shop, seller));
  const stranger = await member(shop, { accountType: "seller" });
  expect((await errorOf(accept(stranger, id))).code).toBe("NOT_FOUND");
  expect((await errorOf(seller.call(withdrawOffer, { params: { id } }))).code).toBe("STALE");
  expect((await errorOf(buyer.call(declineOffer, { params: { id } }))).code).toBe("STALE");
  await seller.call(declineOffer, { params: { id } });
  expect(await stateOf(buyer, id)).toBe("declined");
  expect((await errorOf(accept(seller, id))).code).toBe("STALE");
});

test("an offer expires after 48 hours, even if the expiry job has not run", async ({
  shop,
  seller,
  buyer,
}) => {
  const product = await insertLaptop(shop, seller);
  const id = await offerFor(buyer, product);
  shop.clock.advance(48 * 60);
  expect(await stateOf(buyer, id)).toBe("expired");
  expect((await errorOf(accept(seller, id))).code).toBe("STALE");
  const next = await offerFor(buyer, product);
  const mailed = await shop.pool.query(
    "select payload from job_outbox where payload->>'offerId' = $1 and payload->>'state' = 'expired'",
    [id],
  );
  expect(mailed.rowCount).toBe(1);
  shop.clock.advance(48 * 60);
  await expireOffer(shop.deps, next);
  const { rows } = await shop.pool.query("select state, phone from offers where id = $1", [next]);
  expect(rows).toEqual([{ state: "expired", phone: "" }]);
});

test("an offer ends when the laptop is booked or removed, its price falls to the offer, the buyer is deleted, or either side is suspended", async ({
  shop,
  seller,
  admin,
}) => {
  const ended = async (end: (product: string, buyer: Person) => Promise<unknown>) => {
    const [buyer, product] = [await member(shop), await insertLaptop(shop, seller)];
    const id = await offerFor(buyer, product);
    await end(product, buyer);
    const { rows } = await shop.pool.query("select state from offers where id = $1", [id]);
    const audit = await shop.pool.query(
      "select verb from audit_log where object_id = $1 order by id desc limit 1",
      [id],
    );
    return `${rows[0].state} ${audit.rows[0].verb}`;
  };
  const changeTo = (price: number) => (id: string) => changePrice(seller, id, price);
  const ways: Record<string, (product: string, buyer: Person) => Promise<unknown>> = {
    booked: async (product) => bookLaptop(await member(shop), product),
    "booked by the same buyer": async (product, buyer) => bookLaptop(buyer, product),
    deleted: (id) => seller.call(deleteProduct, { params: { id } }),
    "taken down": (id) => admin.call(takeDownProduct, { body: { id, reason: "Stolen." } }),
    "as cheap": changeTo(500),
    "buyer deleted": (_, { id }) => admin.call(deleteUser, { params: { id } }),
    "buyer suspended": (_, { id }) =>
      admin.call(toggleSuspension, { body: { id, suspended: false } }),
  };
  for (const [name, way] of Object.entries(ways))
    expect([name, await ended(way)]).toEqual([name, "ended end"]);
  expect(await ended(changeTo(501))).toBe("open make");
  const suspend = { body: { id: seller.id, suspended: false } };
  expect(await ended(() => admin.call(toggleSuspension, suspend))).toBe("ended end");
});

test("if the buyer holds too many laptops, the seller can't accept the buyer's offer, and the error says why", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await offerFor(buyer, await insertLaptop(shop, seller));
  for (let n = 0; n < 5; n += 1) await bookLaptop(buyer, await insertLaptop(shop, seller));
  expect(await errorOf(accept(seller, id))).toMatchObject({
    code: "TOO_MANY_HOLDS",
    message: expect.stringContaining("This buyer can't hold another laptop"),
  });
  expect(await stateOf(buyer, id)).toBe("open");
});

test("the database rejects edits to an offer and invalid state changes", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await offerFor(buyer, await insertLaptop(shop, seller));
  const change = (what: string) => shop.pool.query(`update offers set ${what} where id = $1`, [id]);
  await expect(change("price_cents = 1")).rejects.toThrow("not changed once");
  await buyer.call(withdrawOffer, { params: { id } });
  await expect(change("state = 'open', closed_at = null")).rejects.toThrow("cannot go from");
  expect((await buyer.call(readOwnData, {})).offers).toHaveLength(1);
});

test("a conversation's offers are those of its buyer on its laptop", async ({
  shop,
  seller,
  buyer,
}) => {
  const product = await insertLaptop(shop, seller);
  const conversation = await ask(buyer, product);
  const id = await offerFor(buyer, product);
  await offerFor(await member(shop), product);
  await offerFor(buyer, await insertLaptop(shop, seller));
  for (const someone of [buyer, seller]) {
    const offers = await someone.call(listOffers, { query: { open: "true", conversation } });
    expect(offers.map(({ _id }) => _id)).toEqual([id]);
  }
});

test("an offer from a blocked member can't be accepted or countered", async ({
  shop,
  seller,
  buyer,
}) => {
  const product = await insertLaptop(shop, seller);
  const conversation = await ask(buyer, product);
  const id = await offerFor(buyer, product, 450);
  await block(seller, conversation);
  const refused = { status: 403, code: "BLOCKED" };
  expect(await errorOf(accept(seller, id))).toMatchObject(refused);
  expect(await errorOf(counter(seller, id, 480))).toMatchObject(refused);
  expect(await stateOf(buyer, id)).toBe("open");
});

async function raceOutcome({ pool }: Shop, product: string) {
  const inState = async (table: "bookings" | "offers", state: string) =>
    (
      await pool.query(`select * from ${table} where product_id = $1 and state = $2`, [
        product,
        state,
      ])
    ).rows;
  return {
    bookings: await inState("bookings", "held"),
    accepted: await inState("offers", "accepted"),
    open: await inState("offers", "open"),
  };
}

/** Makes all requests wait for the laptop's row lock, and then releases them to race. */
async function atTheClaim(shop: Shop, product: string, rivals: (() => Promise<unknown>)[]) {
  const client = await shop.pool.connect();
  await client.query("begin");
  await client.query("select from products where id = $1 for update", [product]);
  const running = Promise.allSettled(rivals.map((rival) => rival()));
  await expect.poll(() => countLockWaits(shop.pool)).toBeGreaterThanOrEqual(rivals.length);
  await client.query("rollback");
  client.release();
  return await running;
}

test("if a seller accepts two offers concurrently, one buyer gets the laptop at the price they offered", async ({
  shop,
  seller,
}) => {
  const product = await insertLaptop(shop, seller);
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
  const { bookings, accepted, open } = await raceOutcome(shop, product);
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
  const product = await insertLaptop(shop, seller);
  const [buyer, other] = [await member(shop), await member(shop)];
  const id = await offerFor(buyer, product);
  const results = await atTheClaim(shop, product, [
    () => accept(seller, id),
    () => other.call(bookProduct, { body: orderFor(product) }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const { bookings, accepted, open } = await raceOutcome(shop, product);
  expect([bookings.length, open.length]).toEqual([1, 0]);
  expect(accepted.length).toBe(bookings[0].buyer_id === buyer.id ? 1 : 0);
  expect(bookings[0].price_cents).toBe(bookings[0].buyer_id === buyer.id ? 50_000 : 64_000);
});

test("if a buyer books a laptop while their offer is accepted, one hold is left, at the winning request's price", async ({
  shop,
  seller,
}) => {
  for (let round = 0; round < 2; round += 1) {
    const [buyer, product] = [await member(shop), await insertLaptop(shop, seller)];
    const id = await offerFor(buyer, product);
    await Promise.allSettled([
      accept(seller, id),
      buyer.call(bookProduct, { body: orderFor(product) }),
    ]);
    const { bookings, accepted, open } = await raceOutcome(shop, product);
    expect([bookings.length, open.length]).toEqual([1, 0]);
    expect(bookings[0].price_cents).toBe(accepted.length === 1 ? 50_000 : 64_000);
  }
});

test("if an offer is accepted, declined, countered and withdrawn concurrently, only one request succeeds", async ({
  shop,
  seller,
}) => {
  for (let round = 0; round < 2; round += 1) {
    const [buyer, product] = [await member(shop), await insertLaptop(shop, seller)];
    const id = await offerFor(buyer, product);
    const results = await Promise.allSettled([
      accept(seller, id),
      seller.call(declineOffer, { params: { id } }),
      counter(seller, id, 600),
      buyer.call(withdrawOffer, { params: { id } }),
    ]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { bookings, accepted } = await raceOutcome(shop, product);
    expect(accepted.length).toBe(bookings.length);
  }
});

test("lowering the price while an offer is being accepted or countered doesn't deadlock", async ({
  shop,
  seller,
}) => {
  for (const answer of [accept, (by: Person, id: string) => counter(by, id, 600)]) {
    const [buyer, product] = [await member(shop), await insertLaptop(shop, seller)];
    const id = await offerFor(buyer, product);
    const results = await Promise.allSettled([
      changePrice(seller, product, 450),
      answer(seller, id),
    ]);
    const codes = results.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(codes.every((code) => ["STALE", "PRICE_CHANGED", "IN_USE"].includes(code))).toBe(true);
    const { bookings, open } = await raceOutcome(shop, product);
    // If an offer is still open, the price edit must have failed: the offer exceeds the new price.
    if (open.length > 0) expect(codes).toHaveLength(1);
    expect(bookings.length + open.length).toBeLessThanOrEqual(1);
  }
});
