import { describe, expect } from "vitest";
import { cancelBooking, findBookingToPay } from "#contract/bookings.ts";
import { createPaymentIntent, listPayments } from "#contract/payments.ts";
import { listSellerProducts } from "#contract/products.ts";
import { deal, Sale } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { emailSubjects, mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";
import { endHoldWithoutProvider } from "../../testing/settlements.ts";
import { reconcile } from "./reconcile.ts";
import { settleDeals } from "./settle-deals.ts";
import { settleIntent } from "./webhook-events.ts";

const test = dealTest({ worker: true });

describe("paying for a hold", () => {
  test("§7.25 §7.20 §3.6 §4.9: a payment marks the booking as paid and the laptop as sold, and the order shows the transaction id", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "held");
    expect(await shop.cards.pay(sale.intent)).toBe("succeeded");
    const recorded = await sale.report();
    const payment = await sale.payment(admin);
    expect(recorded).toMatchObject({
      status: 201,
      body: { acknowledged: true, insertedId: payment?._id },
    });
    expect(payment).toMatchObject({
      price: 640,
      transactionId: sale.intent,
      email: sale.buyer.email,
      bookingId: sale.booking,
      productId: sale.product,
    });
    expect(await sale.order()).toMatchObject({
      paid: true,
      state: "paid",
      transactionId: sale.intent,
    });
    const products = await sale.seller.call(listSellerProducts, {
      params: { email: sale.seller.email },
    });
    expect(products.find(({ _id }) => _id === sale.product)?.sales_status).toBe("sold");
  });

  test("a payment is recorded once, even if the browser, a webhook and the reconciling job report it repeatedly", async ({
    shop,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged");
    const told = await Promise.all([
      sale.report(),
      sale.report(),
      reconcile(shop.deps),
      sale.report(),
    ]);
    await shop.cards.injectFaults({ webhook: { copies: 20 } });
    expect((await sale.report()).status).toBe(200);
    const ids = new Set(told.flatMap((answer) => (answer ? [answer.body.insertedId] : [])));
    expect(ids.size).toBe(1);
    expect(await sale.payments()).toHaveLength(1);
  });

  test("§7.24 §9.9: repeated requests for a booking's payment intent return one intent for the booking's price, and a request with another price fails", async ({
    shop,
    seller,
    buyer,
  }) => {
    const bookingId = await bookLaptop(buyer, await insertLaptop(shop, seller));
    const body = { price: 640, bookingId };
    const ask = () => buyer.call(createPaymentIntent, { body });
    const asked = [...(await Promise.all([ask(), ask(), ask()])), await ask()];
    const [intent, ...others] = new Set(
      asked.map(({ clientSecret }) => clientSecret.split("_secret_")[0]),
    );
    expect(others).toEqual([]);
    const cheap = buyer.call(createPaymentIntent, { body: { ...body, price: 1 } });
    expect(await errorOf(cheap)).toMatchObject({ status: 409, code: "PRICE_CHANGED" });
    const { intents } = await shop.cards.ledger();
    expect(intents.find(({ id }) => id === intent)?.amount).toBe(64_000);
  });

  test("a payment request without a booking id uses the only hold at that price, or lists the holds to choose from", async ({
    shop,
  }) => {
    const sale = await deal(shop, "held");
    const { seller, buyer } = sale;
    const { clientSecret } = await buyer.call(createPaymentIntent, { body: { price: 640 } });
    expect(clientSecret).toContain(sale.intent);
    await deal(shop, "held", { seller, buyer, price: 400 });
    const again = await buyer.call(createPaymentIntent, { body: { price: 640 } });
    expect(again.clientSecret).toBe(clientSecret);

    shop.clock.advance(1);
    const product = await insertLaptop(shop, seller, { product_name: "Latitude 7420" });
    const other = await deal(shop, "held", { seller, buyer, product });
    const token = await buyer.connection.token?.();
    const ask = () =>
      shop.app.inject({
        method: "POST",
        url: "/api/create-payment-intent",
        headers: { authorization: `Bearer ${token}`, "idempotency-key": "which hold" },
        body: { price: 640 },
      });
    const refused = await ask();
    expect(refused.statusCode).toBe(409);
    expect((await ask()).json()).toEqual(refused.json());
    expect(refused.json()).toEqual({
      code: "BOOKING_NOT_PAYABLE",
      message: `You have several laptops on hold: ThinkPad X1 Carbon Gen 9 (${sale.booking}), Latitude 7420 (${other.booking}). Send the bookingId of one.`,
      holds: [
        { bookingId: sale.booking, product_name: "ThinkPad X1 Carbon Gen 9" },
        { bookingId: other.booking, product_name: "Latitude 7420" },
      ],
    });
  });

  test("a declined card leaves the booking payable, but only by its buyer", async ({ shop }) => {
    const sale = await deal(shop, "held");
    const eve = await member(shop);
    const body = { price: 640, bookingId: sale.booking };
    const notFound = { status: 404, code: "NOT_FOUND" };
    expect(await errorOf(eve.call(createPaymentIntent, { body }))).toMatchObject(notFound);
    await expect(shop.cards.pay(sale.intent, "pm_card_visa_chargeDeclined")).rejects.toThrow(
      "Your card was declined.",
    );
    const unpaid = { status: 409, code: "PAYMENT_NOT_CONFIRMED" };
    expect(await errorOf(sale.report())).toMatchObject(unpaid);
    expect(await sale.order()).toMatchObject({ paid: false, state: "held" });
    expect(await shop.cards.pay(sale.intent)).toBe("succeeded");
    expect(await errorOf(sale.report(eve))).toMatchObject(notFound);
    const own = await deal(shop, "held", { seller: sale.seller, buyer: eve });
    const claimed = new Sale(shop, { ...own, intent: sale.intent }).report();
    expect(await errorOf(claimed)).toMatchObject(unpaid);
    await sale.report();
    expect(await sale.order()).toMatchObject({ paid: true });
  });
});

describe("the provider's record", () => {
  test("§10.17: a webhook alone records a payment that the browser never reported", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "charged");
    await expect.poll(async () => (await sale.order()).paid).toBe(true);
    expect(await sale.audit(admin)).toMatchObject([{ detail: { source: "webhook" } }]);
  });

  test("§10.17: the reconciling job records a payment that neither a webhook nor the browser reported", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged");
    expect((await sale.order()).paid).toBe(false);
    await reconcile(shop.deps);
    expect((await sale.order()).paid).toBe(true);
    expect(await sale.audit(admin)).toMatchObject([{ detail: { source: "reconciler" } }]);
  });

  test("a full refund made at the provider cancels the sale and emails the buyer", async ({
    shop,
  }) => {
    const sale = await deal(shop, "paid");
    await shop.cards.refund(sale.intent);
    await expect
      .poll(() => sale.order())
      .toMatchObject({ state: "refunded", refund: { state: "refunded", amount: 640 } });
    const email = await waitForMailAbout(
      shop,
      sale.buyer.email,
      /^Your refund of \$640 is on its way$/,
    );
    expect(email.text).toContain("was canceled");
    await deal(shop, "held", sale.laptop);
  });

  test("a refund at the provider adds one audit row if it can't cancel the sale", async ({
    shop,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const [part, handedOver] = [await deal(shop, "paid"), await deal(shop, "handedOver")];
    await shop.cards.refund(part.intent, 1_000);
    await shop.cards.refund(handedOver.intent);
    for (const sale of [part, part, handedOver, handedOver]) await sale.refresh();
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
    expect(await handedOver.order()).toMatchObject({ state: "completed" });
  });
});

describe("payments, for admins", () => {
  test("§3.6 §10.21: admins can search payments by transaction id or email prefix, and see each one's state and date", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "paid");
    const find = (search: string) => admin.call(listPayments, { query: { search } });
    const [found, ...others] = await find(sale.intent);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      price: 640,
      transactionId: sale.intent,
      name: sale.buyer.name,
      email: sale.buyer.email,
      bookingId: sale.booking,
      productId: sale.product,
      state: "succeeded",
      bookingState: "paid",
      recordedAt: shop.clock.now().toISOString(),
      refundedAt: null,
    });
    expect(await find(sale.buyer.email.slice(0, 10).toUpperCase())).toEqual([found]);
    expect(await find("%")).toEqual([]);
    expect((await admin.call(listPayments, {})).length).toBeGreaterThan(1);
  });
});

describe("a hold that ends during a payment", () => {
  test("a canceled hold can't be paid", async ({ shop }) => {
    const sale = await deal(shop, "held");
    await sale.buyer.call(cancelBooking, { params: { id: sale.booking } });
    await expect(shop.cards.pay(sale.intent)).rejects.toThrow();
    const again = sale.buyer.call(createPaymentIntent, {
      body: { price: 640, bookingId: sale.booking },
    });
    expect(await errorOf(again)).toMatchObject({ status: 409, code: "BOOKING_NOT_PAYABLE" });
  });

  test("§10.16: a payment after the hold ended buys the laptop if it is still available, and is otherwise refunded once", async ({
    shop,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    for (const taken of [false, true]) {
      const sale = await deal(shop, "charged");
      await endHoldWithoutProvider(shop, sale, "expired");
      if (taken) await deal(shop, "held", sale.laptop);
      const told = await sale.report().then(
        ({ status }) => status,
        (error) => error.code,
      );
      expect(told).toBe(taken ? "BOOKING_NOT_PAYABLE" : 201);
      expect(await sale.order()).toMatchObject({ state: taken ? "expired" : "paid" });
      await waitForMailAbout(
        shop,
        sale.buyer.email,
        taken ? /^Your refund of \$640 is on its way$/ : /is yours after all$/,
      );
      if (!taken) continue;
      const refunds = async () =>
        (await shop.cards.ledger()).refunds.filter(
          ({ payment_intent }) => payment_intent === sale.intent,
        );
      await expect.poll(refunds).toMatchObject([{ amount: 64_000 }]);
      const kinds = async () => (await sale.journals()).map(([kind]) => kind);
      await expect.poll(kinds).toEqual(["charge", "refund_decided", "refund"]);
      expect(await sale.order()).toMatchObject({
        refund: { state: "refunded", amount: 640, refundedAt: shop.clock.now().toISOString() },
      });
      const subjects = (await mailsTo(shop, sale.buyer.email)).map(({ subject }) => subject);
      // The hold may have ended before its email was sent, so that email is ignored here.
      const afterHold = subjects.filter((subject) => subject !== emailSubjects.holdToBuyer);
      expect(afterHold).toEqual([emailSubjects.refund]);
    }
  });

  test("a payment below the full price is refunded and doesn't end the hold", async ({
    shop,
    seller,
    buyer,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const bookingId = await bookLaptop(buyer, await insertLaptop(shop, seller));
    const { email } = buyer;
    const little = { bookingId, amountCents: 1_000, currency: "usd", email };
    const { id } = await shop.deps.cards.openIntent(little);
    await shop.cards.pay(id);
    await settleIntent(shop.deps, id);
    const standing = async () => await buyer.call(findBookingToPay, { params: { id: bookingId } });
    await expect
      .poll(standing)
      .toMatchObject({ state: "held", refund: { state: "refunded", amount: 10 } });
  });
});

test("the reconciling job skips an intent unknown to the provider, and expires overdue holds whose jobs were lost", async ({
  shop,
  admin,
}) => {
  await shop.cards.injectFaults(withoutWebhooks);
  const sale = await deal(shop, "held");
  const overdue = await deal(shop, "held", { seller: sale.seller });
  const lost = await deal(shop, "held", { seller: sale.seller });
  await shop.deps.db
    .updateTable("bookings")
    .set({ intent_id: "pi_of_another_account" })
    .where("id", "=", lost.booking)
    .execute();
  await shop.cards.pay(sale.intent);
  await reconcile(shop.deps);
  expect(await sale.order()).toMatchObject({ paid: true });

  await sale.refund(admin);
  await shop.pool.query("delete from job_outbox; delete from graphile_worker._private_jobs");
  shop.clock.advance(1440);
  await reconcile(shop.deps);
  await settleDeals(shop.deps);
  const bookings = await shop.deps.db.selectFrom("bookings").select(["id", "state"]).execute();
  const stateOf = new Map(bookings.map(({ id, state }) => [id, state]));
  const states = [sale, overdue, lost].map(({ booking }) => stateOf.get(booking));
  expect(states).toEqual(["refunded", "expired", "expired"]);
  expect(await sale.payments()).toMatchObject([{ state: "refunded" }]);
});
