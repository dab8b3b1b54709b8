import { describe, expect } from "vitest";
import { bookProduct, cancelBooking, findBookingToPay, listBookings } from "#contract/bookings.ts";
import { createPaymentIntent, refundBooking } from "#contract/payments.ts";
import { emailSubjects } from "../../testing/booking-emails.ts";
import { endHoldWithoutProvider, paymentsFor, readOrder } from "../../testing/deals.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { listLaptop, sendRecordPayment } from "../../testing/marketplace.ts";
import { createMember, errorOf } from "../../testing/people.ts";
import { expireHold } from "../booking-lifecycle/end-hold.ts";
import { reconcile } from "./reconcile.ts";
import { settleIntent } from "./webhook.ts";

const test = dealTest({ worker: true });

describe("a hold that ends during a payment", () => {
  test("can't be paid after it has ended", async ({ cards, buyer, deal }) => {
    await buyer.call(cancelBooking, { params: { id: deal.booking } });
    await expect(cards.pay(deal.intent)).rejects.toThrow();
    const again = buyer.call(createPaymentIntent, {
      body: { price: 640, bookingId: deal.booking },
    });
    expect(await errorOf(again)).toMatchObject({ status: 409, code: "BOOKING_NOT_PAYABLE" });
  });

  test("becomes paid if the payment arrived first", async ({ shop, unrecordedDeal: deal }) => {
    shop.clock.advance(1440);
    await expireHold(shop.deps, deal.booking);
    expect(await readOrder(deal)).toMatchObject({ paid: true, state: "paid" });
  });

  test("§10.16: buys the laptop if it is still available, refunds the payment once if not, and emails the buyer either way", async ({
    shop,
    cards,
    hold,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    for (const taken of [false, true]) {
      const buyer = await createMember(shop);
      const deal = await hold(buyer);
      await cards.pay(deal.intent);
      await endHoldWithoutProvider(shop, deal, "expired");
      if (taken) await hold(await createMember(shop), deal.product);
      const told = await sendRecordPayment(deal).then(
        ({ status }) => status,
        (error) => error.code,
      );
      expect(told).toBe(taken ? "BOOKING_NOT_PAYABLE" : 201);
      expect(await readOrder(deal)).toMatchObject({ state: taken ? "expired" : "paid" });
      await waitForMailAbout(
        shop,
        buyer.email,
        taken ? /^Your refund of \$640 is on its way$/ : /is yours after all$/,
      );
      if (!taken) continue;
      const refunds = async () =>
        (await cards.ledger()).refunds.filter(
          ({ payment_intent }) => payment_intent === deal.intent,
        );
      await expect.poll(refunds).toMatchObject([{ amount: 64_000 }]);
      expect(await readOrder(deal)).toMatchObject({
        refund: { state: "refunded", amount: 640, refundedAt: shop.clock.now().toISOString() },
      });
      const subjects = (await mailsTo(shop, buyer.email)).map(({ subject }) => subject);
      // The email about the hold is dropped if the hold has ended before it is sent.
      const afterHold = subjects.filter((subject) => subject !== emailSubjects.holdToBuyer);
      expect(afterHold).toEqual([emailSubjects.refund]);
    }
  });

  test("refunds a payment that is not the full price", async ({
    shop,
    cards,
    seller,
    buyer,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    const bookingProduct = { _id: await listLaptop(seller) };
    const body = { price: 640, phone: "5550123", location: "Station", bookingProduct };
    const bookingId = (await buyer.call(bookProduct, { body })).insertedId;
    const { email } = buyer;
    const little = { bookingId, amountCents: 1_000, currency: "usd", email };
    const { id } = await shop.deps.cards.openIntent(little);
    await cards.pay(id);
    await settleIntent(shop.deps, id);
    const standing = async () => await buyer.call(findBookingToPay, { params: { id: bookingId } });
    await expect
      .poll(standing)
      .toMatchObject({ state: "held", refund: { state: "refunded", amount: 10 } });
  });
});

test("while the provider is down the buyer gets PROVIDER_UNAVAILABLE and the booking does not change", async ({
  cards,
  seller,
  buyer,
}) => {
  const sold = await listLaptop(seller);
  const order = {
    price: 640,
    phone: "5550123",
    location: "Station",
    bookingProduct: { _id: sold },
  };
  const booking = (await buyer.call(bookProduct, { body: order })).insertedId;
  await cards.injectFaults({
    failNext: { method: "POST", path: "/v1/payment_intents", status: 500, times: 9 },
  });
  const asked = buyer.call(createPaymentIntent, { body: { price: 640, bookingId: booking } });
  expect(await errorOf(asked)).toMatchObject({ status: 502, code: "PROVIDER_UNAVAILABLE" });
  await cards.injectFaults({});
  const [order1] = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(order1).toMatchObject({ state: "held", paid: false });
  expect(
    await buyer.call(createPaymentIntent, { body: { price: 640, bookingId: booking } }),
  ).toMatchObject({
    clientSecret: expect.stringContaining("_secret_"),
  });
});

describe("the reconciling job", () => {
  test("continues after an intent that the provider does not know", async ({
    shop,
    cards,
    hold,
    holdWebhooks,
    deal,
  }) => {
    await holdWebhooks();
    const lost = await hold(await createMember(shop));
    const unknown = { intent_id: "pi_of_another_account" };
    await shop.deps.db
      .updateTable("bookings")
      .set(unknown)
      .where("id", "=", lost.booking)
      .execute();
    await cards.pay(deal.intent);
    await reconcile(shop.deps);
    expect(await readOrder(deal)).toMatchObject({ paid: true });
    shop.clock.advance(1440);
    await expireHold(shop.deps, lost.booking);
    expect(
      await shop.deps.db
        .selectFrom("bookings")
        .select("state")
        .where("id", "=", lost.booking)
        .executeTakeFirst(),
    ).toEqual({ state: "expired" });
  });

  test("expires overdue holds and sends due refunds whose jobs were lost", async ({
    shop,
    cards,
    hold,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    const overdue = await hold(await createMember(shop));
    const late = await hold();
    await cards.pay(late.intent);
    const admin = await createMember(shop, { isAdmin: true });
    await sendRecordPayment(late);
    await admin.call(refundBooking, { body: { bookingId: late.booking } });
    await shop.pool.query("delete from job_outbox; delete from graphile_worker._private_jobs");
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
    expect(await paymentsFor(shop, late)).toMatchObject([{ state: "refunded" }]);
  });
});
