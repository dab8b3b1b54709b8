import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bookProduct, cancelBooking, findBookingToPay, listBookings } from "#contract/bookings.ts";
import {
  createPaymentIntent,
  listPayments,
  recordPayment,
  refundBooking,
} from "#contract/payments.ts";
import { listSellerProducts } from "#contract/products.ts";
import { type CardDesk, cardDesk } from "../../testing/cards.ts";
import { mailsTo, waitForMail } from "../../testing/inbox.ts";
import { memberOf, type Person, refusalOf, sell } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { expireHold } from "../bookings/holds.ts";
import { reconcile } from "./reconcile.ts";

let shop: Shop;
let desk: CardDesk;
let seller: Person;
let buyer: Person;

beforeAll(async () => {
  shop = await openShop({ sandbox: true, worker: true });
  desk = cardDesk(shop.sandbox?.url ?? "");
  seller = await memberOf(shop, { accountType: "seller" });
});
beforeEach(async () => {
  buyer = await memberOf(shop);
});
afterAll(() => shop.close());

type Deal = { product: string; booking: string; intent: string };

async function hold(who = buyer, product?: string): Promise<Deal> {
  const sold = product ?? (await sell(shop, seller));
  const order = {
    price: 640,
    phone: "5550123",
    location: "Station",
    bookingProduct: { _id: sold },
  };
  const booking = (await who.call(bookProduct, { body: order })).insertedId;
  const { clientSecret } = await who.call(createPaymentIntent, {
    body: { price: 640, bookingId: booking },
  });
  return { product: sold, booking, intent: clientSecret.split("_secret_")[0] ?? "" };
}

function record({ booking, intent, product }: Deal, who = buyer) {
  const body = {
    price: 640,
    transactionId: intent,
    email: who.email,
    bookingId: booking,
    productId: product,
  };
  return who.send(recordPayment, { body });
}

const orderOf = async ({ booking }: Deal, who = buyer) =>
  await who.call(findBookingToPay, { params: { id: booking } });
const payments = ({ booking }: Deal) =>
  shop.deps.db.selectFrom("payments").selectAll().where("booking_id", "=", booking).execute();
const hearNothing = () => desk.break({ webhook: { hold: true } });

describe("paying for a hold", () => {
  test("§7 POST /payments §7 GET /bookingProducts/pay/{id} §3 Payment record §4 payment: makes the booking paid and the laptop sold, with the transaction id to show", async () => {
    const deal = await hold();
    expect(await desk.pay(deal.intent)).toBe("succeeded");
    expect((await record(deal)).status).toSatisfy((status) => status === 200 || status === 201);
    expect(await orderOf(deal)).toMatchObject({
      paid: true,
      state: "paid",
      transactionId: deal.intent,
    });
    const products = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(products.find(({ _id }) => _id === deal.product)?.sales_status).toBe("sold");
  });

  test("is recorded once, however often and from wherever it is told", async () => {
    const deal = await hold();
    await hearNothing();
    await desk.pay(deal.intent);
    const told = await Promise.all([
      record(deal),
      record(deal),
      reconcile(shop.deps),
      record(deal),
    ]);
    await desk.break({ webhook: { copies: 20 } });
    expect((await record(deal)).status).toBe(200);
    const ids = new Set(told.flatMap((answer) => (answer ? [answer.body.insertedId] : [])));
    expect(ids.size).toBe(1);
    expect(await payments(deal)).toHaveLength(1);
    await desk.break({});
  });

  test("§7 POST /create-payment-intent §9.9: asks for the same intent however often, over the booking's own price", async () => {
    const deal = await hold();
    const body = { price: 640, bookingId: deal.booking };
    const asked = await Promise.all([1, 2, 3].map(() => buyer.call(createPaymentIntent, { body })));
    expect(new Set(asked.map(({ clientSecret }) => clientSecret.split("_secret_")[0]))).toEqual(
      new Set([deal.intent]),
    );
    const cheap = buyer.call(createPaymentIntent, { body: { ...body, price: 1 } });
    expect(await refusalOf(cheap)).toMatchObject({ status: 409, code: "PRICE_CHANGED" });
    const { intents } = await desk.ledger();
    expect(intents.find(({ id }) => id === deal.intent)?.amount).toBe(64_000);
  });

  test("without a booking id means the one unpaid booking, and is refused where there are two", async () => {
    const deal = await hold();
    const { clientSecret } = await buyer.call(createPaymentIntent, { body: { price: 640 } });
    expect(clientSecret).toContain(deal.intent);
    await hold();
    expect(
      await refusalOf(buyer.call(createPaymentIntent, { body: { price: 640 } })),
    ).toMatchObject({ status: 409 });
  });

  test("with a card that is declined leaves the booking payable", async () => {
    const deal = await hold();
    await expect(desk.pay(deal.intent, "pm_card_visa_chargeDeclined")).rejects.toThrow(
      "Your card was declined.",
    );
    expect(await refusalOf(record(deal))).toMatchObject({
      status: 409,
      code: "PAYMENT_NOT_CONFIRMED",
    });
    expect(await orderOf(deal)).toMatchObject({ paid: false, state: "held" });
    expect(await desk.pay(deal.intent)).toBe("succeeded");
    await record(deal);
    expect(await orderOf(deal)).toMatchObject({ paid: true });
  });

  test("is nobody else's to do or to claim", async () => {
    const deal = await hold();
    const eve = await memberOf(shop);
    expect(
      await refusalOf(
        eve.call(createPaymentIntent, { body: { price: 640, bookingId: deal.booking } }),
      ),
    ).toMatchObject({ status: 404 });
    await desk.pay(deal.intent);
    expect(await refusalOf(record(deal, eve))).toMatchObject({ status: 404 });
    const own = await hold(eve);
    expect(await refusalOf(record({ ...own, intent: deal.intent }, eve))).toMatchObject({
      status: 409,
      code: "PAYMENT_NOT_CONFIRMED",
    });
  });
});

describe("the provider's own word", () => {
  test("a webhook alone settles a payment whose browser never came back", async () => {
    const deal = await hold();
    await desk.pay(deal.intent);
    await expect.poll(async () => (await orderOf(deal)).paid, { timeout: 10_000 }).toBe(true);
    expect(await payments(deal)).toMatchObject([{ recorded_by: "webhook" }]);
  });

  test("the reconciling job settles a payment whose webhook and browser were both lost", async () => {
    await hearNothing();
    const deal = await hold();
    await desk.pay(deal.intent);
    expect((await orderOf(deal)).paid).toBe(false);
    await reconcile(shop.deps);
    expect((await orderOf(deal)).paid).toBe(true);
    expect(await payments(deal)).toMatchObject([{ recorded_by: "reconciler" }]);
    await desk.break({});
  });

  test("an event that is not signed by the provider is refused and changes nothing", async () => {
    const event = {
      id: "evt_forged",
      type: "payment_intent.succeeded",
      data: { object: { object: "payment_intent", id: "pi_1" } },
    };
    const post = (headers: Record<string, string>) =>
      fetch(`${shop.url}/api/webhooks/stripe`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(event),
      });
    for (const headers of [
      {},
      { "stripe-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` },
    ]) {
      const answer = await post(headers);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: "BAD_SIGNATURE" });
    }
    const kept = await shop.deps.db
      .selectFrom("provider_events")
      .select("id")
      .where("id", "=", event.id)
      .execute();
    expect(kept).toEqual([]);
  });
});

describe("a hold that ends while money is on its way", () => {
  test("can no longer be paid once it has ended", async () => {
    const deal = await hold();
    await buyer.call(cancelBooking, { params: { id: deal.booking } });
    await expect(desk.pay(deal.intent)).rejects.toThrow();
    const again = buyer.call(createPaymentIntent, {
      body: { price: 640, bookingId: deal.booking },
    });
    expect(await refusalOf(again)).toMatchObject({ status: 409, code: "BOOKING_NOT_PAYABLE" });
  });

  test("is settled instead where the money had arrived first", async () => {
    await hearNothing();
    const deal = await hold();
    await desk.pay(deal.intent);
    shop.clock.advance(1440);
    await expireHold(shop.deps, deal.booking);
    expect(await orderOf(deal)).toMatchObject({ paid: true, state: "paid" });
    await desk.break({});
  });

  test("takes the laptop back where it is still free, and gives the money back once where it is not; the buyer is told either way", async () => {
    await hearNothing();
    for (const taken of [false, true]) {
      buyer = await memberOf(shop);
      const deal = await hold();
      await desk.pay(deal.intent);
      await shop.deps.db
        .updateTable("bookings")
        .set({ state: "expired" })
        .where("id", "=", deal.booking)
        .execute();
      await shop.deps.db
        .updateTable("products")
        .set({ sales_status: "available" })
        .where("id", "=", deal.product)
        .execute();
      if (taken) await hold(await memberOf(shop), deal.product);
      const told = await record(deal).then(
        ({ status }) => status,
        (error) => error.code,
      );
      expect(told).toBe(taken ? "BOOKING_NOT_PAYABLE" : 201);
      expect(await orderOf(deal)).toMatchObject({ state: taken ? "expired" : "paid" });
      const letter = await waitForMail(shop, buyer.email);
      expect(letter.subject).toMatch(taken ? /^\$640 on its way back/ : /is yours$/);
      if (!taken) continue;
      const refunds = async () =>
        (await desk.ledger()).refunds.filter(
          ({ payment_intent }) => payment_intent === deal.intent,
        );
      await expect.poll(refunds, { timeout: 10_000 }).toMatchObject([{ amount: 64_000 }]);
      expect(await orderOf(deal)).toMatchObject({
        refund: { state: "refunded", amount: 640, refundedAt: shop.clock.now().toISOString() },
      });
      expect(await mailsTo(shop, buyer.email)).toHaveLength(1);
    }
    await desk.break({});
  });
});

test("while the provider is away a buyer is told so, and the booking stays as it was", async () => {
  const sold = await sell(shop, seller);
  const order = {
    price: 640,
    phone: "5550123",
    location: "Station",
    bookingProduct: { _id: sold },
  };
  const booking = (await buyer.call(bookProduct, { body: order })).insertedId;
  await desk.break({
    failNext: { method: "POST", path: "/v1/payment_intents", status: 500, times: 9 },
  });
  const asked = buyer.call(createPaymentIntent, { body: { price: 640, bookingId: booking } });
  expect(await refusalOf(asked)).toMatchObject({ status: 502, code: "PROVIDER_UNAVAILABLE" });
  await desk.break({});
  const [order1] = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(order1).toMatchObject({ state: "held", paid: false });
  expect(
    await buyer.call(createPaymentIntent, { body: { price: 640, bookingId: booking } }),
  ).toMatchObject({
    clientSecret: expect.stringContaining("_secret_"),
  });
});

describe("the reconciling job", () => {
  test("is not held up by an intent the provider does not know", async () => {
    await hearNothing();
    const lost = await hold(await memberOf(shop));
    const unknown = { intent_id: "pi_of_another_account" };
    await shop.deps.db
      .updateTable("bookings")
      .set(unknown)
      .where("id", "=", lost.booking)
      .execute();
    const deal = await hold();
    await desk.pay(deal.intent);
    await reconcile(shop.deps);
    expect(await orderOf(deal)).toMatchObject({ paid: true });
    shop.clock.advance(1440);
    await expireHold(shop.deps, lost.booking);
    expect(
      await shop.deps.db
        .selectFrom("bookings")
        .select("state")
        .where("id", "=", lost.booking)
        .executeTakeFirst(),
    ).toEqual({ state: "expired" });
    await desk.break({});
  });

  test("ends the holds that ran out and gives back what is due, where their own jobs were lost", async () => {
    await hearNothing();
    const overdue = await hold(await memberOf(shop));
    const late = await hold();
    await desk.pay(late.intent);
    const admin = await memberOf(shop, { isAdmin: true });
    await record(late);
    await admin.call(refundBooking, { body: { bookingId: late.booking } });
    await shop.pool.query("delete from graphile_worker._private_jobs");
    shop.clock.advance(1440);
    await reconcile(shop.deps);
    const states = await shop.deps.db
      .selectFrom("bookings")
      .select(["id", "state"])
      .where("id", "in", [overdue.booking, late.booking])
      .execute();
    expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [overdue.booking, "expired"],
        [late.booking, "refunded"],
      ]),
    );
    expect(await payments(late)).toMatchObject([{ state: "refunded" }]);
    await desk.break({});
  });
});

describe("payments, for admins", () => {
  test("are found by transaction id and by how the buyer's e-mail begins, with their state and date", async () => {
    const admin = await memberOf(shop, { isAdmin: true });
    const deal = await hold();
    await desk.pay(deal.intent);
    await record(deal);
    const find = (search: string) => admin.call(listPayments, { query: { search } });
    const [found, ...others] = await find(deal.intent);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      price: 640,
      transactionId: deal.intent,
      name: buyer.name,
      email: buyer.email,
      bookingId: deal.booking,
      productId: deal.product,
      state: "succeeded",
      bookingState: "paid",
      recordedAt: shop.clock.now().toISOString(),
      refundedAt: null,
    });
    expect(await find(buyer.email.slice(0, 10).toUpperCase())).toEqual([found]);
    expect(await find("%")).toEqual([]);
    expect((await admin.call(listPayments, {})).length).toBeGreaterThan(1);
  });
});
