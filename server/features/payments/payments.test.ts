import { describe, expect } from "vitest";
import { bookProduct } from "#contract/bookings.ts";
import { confirmHandover } from "#contract/handover.ts";
import { createPaymentIntent, listPayments } from "#contract/payments.ts";
import { listSellerProducts } from "#contract/products.ts";
import { paymentsFor, readOrder } from "../../testing/deals.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { waitForMailAbout } from "../../testing/inbox.ts";
import { bookLaptop, listLaptop, sendRecordPayment } from "../../testing/marketplace.ts";
import { createMember, errorOf } from "../../testing/people.ts";
import { reconcile } from "./reconcile.ts";
import { settleIntent } from "./webhook.ts";

const test = dealTest({ worker: true });

describe("paying for a hold", () => {
  test("§7.25 §7.20 §3.6 §4.9: marks the booking paid and the laptop sold, and shows the transaction id", async ({
    cards,
    seller,
    admin,
    dealWithoutWebhooks: deal,
  }) => {
    expect(await cards.pay(deal.intent)).toBe("succeeded");
    const recorded = await sendRecordPayment(deal);
    const [payment] = await admin.call(listPayments, { query: { search: deal.intent } });
    expect(recorded).toMatchObject({
      status: 201,
      body: { acknowledged: true, insertedId: payment?._id },
    });
    expect(payment).toMatchObject({
      price: 640,
      transactionId: deal.intent,
      email: deal.buyer.email,
      bookingId: deal.booking,
      productId: deal.product,
    });
    expect(await readOrder(deal)).toMatchObject({
      paid: true,
      state: "paid",
      transactionId: deal.intent,
    });
    const products = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(products.find(({ _id }) => _id === deal.product)?.sales_status).toBe("sold");
  });

  test("is recorded once, however often browser, webhook and job report it", async ({
    shop,
    cards,
    unrecordedDeal: deal,
  }) => {
    const told = await Promise.all([
      sendRecordPayment(deal),
      sendRecordPayment(deal),
      reconcile(shop.deps),
      sendRecordPayment(deal),
    ]);
    await cards.injectFaults({ webhook: { copies: 20 } });
    expect((await sendRecordPayment(deal)).status).toBe(200);
    const ids = new Set(told.flatMap((answer) => (answer ? [answer.body.insertedId] : [])));
    expect(ids.size).toBe(1);
    expect(await paymentsFor(shop, deal)).toHaveLength(1);
  });

  test("§7.24 §9.9: returns the same intent each time, over the booking's own price", async ({
    cards,
    seller,
    buyer,
  }) => {
    const bookingProduct = { _id: await listLaptop(seller) };
    const order = { price: 640, phone: "5550123", location: "Station", bookingProduct };
    const bookingId = (await buyer.call(bookProduct, { body: order })).insertedId;
    const body = { price: 640, bookingId };
    const ask = () => buyer.call(createPaymentIntent, { body });
    const asked = [...(await Promise.all([ask(), ask(), ask()])), await ask()];
    const [intent, ...others] = new Set(
      asked.map(({ clientSecret }) => clientSecret.split("_secret_")[0]),
    );
    expect(others).toEqual([]);
    const cheap = buyer.call(createPaymentIntent, { body: { ...body, price: 1 } });
    expect(await errorOf(cheap)).toMatchObject({ status: 409, code: "PRICE_CHANGED" });
    const { intents } = await cards.ledger();
    expect(intents.find(({ id }) => id === intent)?.amount).toBe(64_000);
  });

  test("without a booking id uses the only hold at that price, and names those to choose from", async ({
    shop,
    seller,
    buyer,
    hold,
    deal,
  }) => {
    const { clientSecret } = await buyer.call(createPaymentIntent, { body: { price: 640 } });
    expect(clientSecret).toContain(deal.intent);
    const cheaper = await listLaptop(seller, { product_name: "Cheaper one", resale_price: 400 });
    await bookLaptop(buyer, cheaper, { price: 400 });
    const again = await buyer.call(createPaymentIntent, { body: { price: 640 } });
    expect(again.clientSecret).toBe(clientSecret);

    shop.clock.advance(1);
    const other = await hold(
      buyer,
      await listLaptop(seller, { product_name: "Latitude 7420", resale_price: 640 }),
    );
    const refused = await shop.app.inject({
      method: "POST",
      url: "/api/create-payment-intent",
      headers: { authorization: `Bearer ${await buyer.connection.token?.()}` },
      body: { price: 640 },
    });
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({
      code: "BOOKING_NOT_PAYABLE",
      message: `You have several laptops on hold: ThinkPad X1 Carbon Gen 9 (${deal.booking}), Latitude 7420 (${other.booking}). Send the bookingId of one.`,
      holds: [
        { bookingId: deal.booking, product_name: "ThinkPad X1 Carbon Gen 9" },
        { bookingId: other.booking, product_name: "Latitude 7420" },
      ],
    });
  });

  test("a declined card leaves the booking payable", async ({ cards, deal }) => {
    await expect(cards.pay(deal.intent, "pm_card_visa_chargeDeclined")).rejects.toThrow(
      "Your card was declined.",
    );
    expect(await errorOf(sendRecordPayment(deal))).toMatchObject({
      status: 409,
      code: "PAYMENT_NOT_CONFIRMED",
    });
    expect(await readOrder(deal)).toMatchObject({ paid: false, state: "held" });
    expect(await cards.pay(deal.intent)).toBe("succeeded");
    await sendRecordPayment(deal);
    expect(await readOrder(deal)).toMatchObject({ paid: true });
  });

  test("is refused for another member's booking or payment", async ({
    shop,
    cards,
    hold,
    deal,
  }) => {
    const eve = await createMember(shop);
    expect(
      await errorOf(
        eve.call(createPaymentIntent, { body: { price: 640, bookingId: deal.booking } }),
      ),
    ).toMatchObject({ status: 404 });
    await cards.pay(deal.intent);
    expect(await errorOf(sendRecordPayment(deal, eve))).toMatchObject({ status: 404 });
    const own = await hold(eve);
    expect(await errorOf(sendRecordPayment({ ...own, intent: deal.intent }, eve))).toMatchObject({
      status: 409,
      code: "PAYMENT_NOT_CONFIRMED",
    });
  });
});

describe("the provider's record", () => {
  test("§10.17: a webhook alone records a payment whose browser never came back", async ({
    shop,
    cards,
    deal,
  }) => {
    await cards.pay(deal.intent);
    await expect.poll(async () => (await readOrder(deal)).paid).toBe(true);
    expect(await paymentsFor(shop, deal)).toMatchObject([{ recorded_by: "webhook" }]);
  });

  test("§10.17: the reconciling job records a payment whose webhook and browser were both lost", async ({
    shop,
    unrecordedDeal: deal,
  }) => {
    expect((await readOrder(deal)).paid).toBe(false);
    await reconcile(shop.deps);
    expect((await readOrder(deal)).paid).toBe(true);
    expect(await paymentsFor(shop, deal)).toMatchObject([{ recorded_by: "reconciler" }]);
  });

  test("a refund in its dashboard cancels the sale and emails the buyer", async ({
    shop,
    cards,
    buyer,
    hold,
    deal,
  }) => {
    await cards.pay(deal.intent);
    await sendRecordPayment(deal);
    await cards.refund(deal.intent);
    const order = () => readOrder(deal);
    await expect
      .poll(order)
      .toMatchObject({ state: "refunded", refund: { state: "refunded", amount: 640 } });
    const email = await waitForMailAbout(shop, buyer.email, /^Your refund of \$640 is on its way$/);
    expect(email.text).toContain("was cancelled");
    await hold(await createMember(shop), deal.product);
  });

  test("a refund in its dashboard that can't cancel a sale gets one audit row", async ({
    shop,
    cards,
    buyer,
    hold,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    const [part, handedOver] = [await hold(), await hold()];
    for (const deal of [part, handedOver]) {
      await cards.pay(deal.intent);
      await sendRecordPayment(deal);
    }
    await buyer.call(confirmHandover, { body: { id: handedOver.booking } });
    await cards.refund(part.intent, 1_000);
    await cards.refund(handedOver.intent);
    for (const { intent } of [part, part, handedOver, handedOver])
      await settleIntent(shop.deps, intent);
    const written = await shop.deps.db
      .selectFrom("audit_log")
      .innerJoin("payments", "payments.id", "object_id")
      .select(["booking_id as booking", "detail", "state"])
      .where("verb", "=", "refund elsewhere")
      .orderBy("audit_log.id")
      .execute();
    expect(written).toEqual([
      { booking: part.booking, detail: { refundedCents: 1_000 }, state: "succeeded" },
      { booking: handedOver.booking, detail: { refundedCents: 64_000 }, state: "succeeded" },
    ]);
    expect(await readOrder(handedOver)).toMatchObject({ state: "completed" });
  });
});

describe("payments, for admins", () => {
  test("§3.6 §10.21: are found by transaction id and by the start of the buyer's email, with state and date", async ({
    shop,
    cards,
    buyer,
    deal,
  }) => {
    const admin = await createMember(shop, { isAdmin: true });
    await cards.pay(deal.intent);
    await sendRecordPayment(deal);
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
