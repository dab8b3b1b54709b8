import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { findBookingToPay } from "#contract/bookings.ts";
import { deleteUser, toggleSuspension } from "#contract/members.ts";
import { askSeller, blockMember } from "#contract/messages.ts";
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
import { bookLaptop, draftListing, intentIn, listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { expireOffer } from "./answer-offer.ts";
import { offerFor } from "./testing.ts";

const test = dealTest();

const accept = async (someone: Person, id: string) =>
  (await someone.call(acceptOffer, { params: { id } })).insertedId;
const offersOf = (someone: Person) => someone.call(listOffers, {});
const stateOf = async (someone: Person, id: string) =>
  (await offersOf(someone)).find((offer) => offer._id === id)?.state;

test("accepting an offer holds the laptop at the offered price, which the buyer pays and the ledger records", async ({
  shop,
  seller,
  buyer,
}) => {
  const product = await listing(seller);
  const id = await offerFor(buyer, product, 499.5);
  const [seen] = await offersOf(seller);
  expect(seen).toMatchObject({ price: 499.5, role: "seller", mine: false, state: "open" });
  // The buyer's phone and meeting place stay hidden until the hold.
  expect(JSON.stringify(seen)).not.toMatch(/5550177|Union Station/);
  const bookingId = await accept(seller, id);
  expect(await accept(seller, id)).toBe(bookingId);
  const read = () => buyer.call(findBookingToPay, { params: { id: bookingId } });
  expect(await read()).toMatchObject({ price: 499.5, phone: "5550177", state: "held" });
  expect(await stateOf(buyer, id)).toBe("accepted");
  const wrong = buyer.call(createPaymentIntent, { body: { price: 640, bookingId } });
  expect(await errorOf(wrong)).toMatchObject({
    code: "PRICE_CHANGED",
    message: "The amount due is $499.50.",
  });
  const opened = await buyer.call(createPaymentIntent, { body: { price: 499.5, bookingId } });
  const intent = intentIn(opened.clientSecret);
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

test("for an accepted offer, the seller sees the price, the fee at the time of acceptance, and the payout", async ({
  shop,
  seller,
  buyer,
}) => {
  const { settlement } = shop.deps.config;
  const id = await offerFor(buyer, await listing(seller), 500);
  shop.deps.config.settlement = { ...settlement, feePercent: 5 };
  await accept(seller, id);
  shop.deps.config.settlement = settlement;
  const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(product).toMatchObject({ resale_price: 640, deal: { price: 500, fee: 25, gets: 475 } });
});

test("buyer and seller counter in turn: only the side that didn't name the latest price can counter or accept", async ({
  seller,
  buyer,
}) => {
  const product = await listing(seller);
  const first = await offerFor(buyer, product, 400);
  const counter = (someone: Person, id: string, price: number) =>
    someone.call(counterOffer, { params: { id }, body: { price } });
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

test("a buyer can accept a seller's counteroffer even after the listed price went up", async ({
  seller,
  buyer,
}) => {
  const product = await listing(seller);
  const id = await offerFor(buyer, product, 400);
  const answer = { params: { id }, body: { price: 600 } };
  const { insertedId } = await seller.call(counterOffer, answer);
  const dearer = await draftListing(seller, { resale_price: 700 });
  await seller.call(editProduct, { params: { id: product }, body: dearer });
  const booking = await accept(buyer, insertedId);
  expect((await buyer.call(findBookingToPay, { params: { id: booking } })).price).toBe(600);
});

test("a buyer can have one open offer per laptop, below the listed price, and can offer again after withdrawing it", async ({
  seller,
  buyer,
}) => {
  const product = await listing(seller);
  expect((await errorOf(offerFor(buyer, product, 640))).code).toBe("PRICE_CHANGED");
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

test("only the recipient can answer an offer, and only while the offer is open", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await offerFor(buyer, await listing(seller));
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
  const product = await listing(seller);
  const id = await offerFor(buyer, product);
  shop.clock.advance(48 * 60);
  expect(await stateOf(buyer, id)).toBe("expired");
  expect((await errorOf(accept(seller, id))).code).toBe("STALE");
  const next = await offerFor(buyer, product);
  shop.clock.advance(48 * 60);
  await expireOffer(shop.deps, next);
  const { rows } = await shop.pool.query("select state, phone from offers where id = $1", [next]);
  expect(rows).toEqual([{ state: "expired", phone: "" }]);
});

test("an offer ends when the laptop is booked or removed, its price falls to the offer, or either side is suspended or deleted", async ({
  shop,
  seller,
  admin,
}) => {
  const ended = async (end: (product: string, buyer: Person) => Promise<unknown>) => {
    const [buyer, product] = [await member(shop), await listing(seller)];
    const id = await offerFor(buyer, product);
    await end(product, buyer);
    const { rows } = await shop.pool.query("select state from offers where id = $1", [id]);
    const audit = await shop.pool.query(
      "select verb from audit_log where object_id = $1 order by id desc limit 1",
      [id],
    );
    return `${rows[0].state} ${audit.rows[0].verb}`;
  };
  const changeTo = (resale_price: number) => async (id: string) => {
    const body = await draftListing(seller, { resale_price });
    await seller.call(editProduct, { params: { id }, body });
  };
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

test("accepting an offer fails with a message for the seller if the buyer holds too many laptops", async ({
  seller,
  buyer,
}) => {
  const id = await offerFor(buyer, await listing(seller));
  for (let n = 0; n < 5; n += 1) await bookLaptop(buyer, await listing(seller));
  expect(await errorOf(accept(seller, id))).toMatchObject({
    code: "TOO_MANY_HOLDS",
    message: expect.stringContaining("This buyer can't hold another laptop"),
  });
  expect(await stateOf(buyer, id)).toBe("open");
});

test("the database rejects edits and invalid state changes of an offer", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await offerFor(buyer, await listing(seller));
  const change = (what: string) => shop.pool.query(`update offers set ${what} where id = $1`, [id]);
  await expect(change("price_cents = 1")).rejects.toThrow("not changed once");
  await buyer.call(withdrawOffer, { params: { id } });
  await expect(change("state = 'open', closed_at = null")).rejects.toThrow("cannot go from");
  expect((await buyer.call(readOwnData, {})).offers).toHaveLength(1);
});

test("an offer from a blocked member can't be accepted or countered", async ({ seller, buyer }) => {
  const product = await listing(seller);
  const question = {
    product: { _id: product },
    text: "Is it still for sale?",
    key: crypto.randomUUID(),
  };
  const asked = await buyer.call(askSeller, { body: question });
  const id = await offerFor(buyer, product, 450);
  const params = { id: asked.insertedId };
  await seller.call(blockMember, { params, body: { blocked: true } });
  const refusals = await Promise.all([
    errorOf(seller.call(acceptOffer, { params: { id } })),
    errorOf(seller.call(counterOffer, { params: { id }, body: { price: 480 } })),
  ]);
  for (const refusal of refusals) expect(refusal).toMatchObject({ status: 403, code: "BLOCKED" });
  expect(await stateOf(buyer, id)).toBe("open");
});
