import { describe, expect } from "vitest";
import { cancelBooking, findBookingToPay } from "#contract/bookings.ts";
import { createPaymentIntent } from "#contract/payments.ts";
import { emailSubjects } from "../../testing/booking-emails.ts";
import { deal } from "../../testing/deal.ts";
import { endHoldWithoutProvider } from "../../testing/deals.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { mailsTo, waitForMailAbout } from "../../testing/inbox.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { errorOf } from "../../testing/people.ts";
import { expireHold } from "./end-hold.ts";
import { reconcile } from "./reconcile.ts";
import { settleDeals } from "./settle-deals.ts";
import { settleIntent } from "./store-webhook-event.ts";

const test = dealTest({ worker: true });

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

  test("§10.16: a payment after the hold ended buys the laptop if it is available, and is otherwise refunded once; the buyer is emailed", async ({
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
      expect(await sale.order()).toMatchObject({
        refund: { state: "refunded", amount: 640, refundedAt: shop.clock.now().toISOString() },
      });
      const subjects = (await mailsTo(shop, sale.buyer.email)).map(({ subject }) => subject);
      // The email about the hold may be missing, because the hold ended before it was sent.
      const afterHold = subjects.filter((subject) => subject !== emailSubjects.holdToBuyer);
      expect(afterHold).toEqual([emailSubjects.refund]);
    }
  });

  test("a payment below the full price is refunded, and the hold stays", async ({
    shop,
    seller,
    buyer,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const bookingId = await bookLaptop(buyer, await listing(seller));
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

describe("the reconciling job", () => {
  test("the reconciling job continues after an intent unknown to the provider", async ({
    shop,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "held");
    const lost = await deal(shop, "held", { seller: sale.seller });
    const unknown = { intent_id: "pi_of_another_account" };
    await shop.deps.db
      .updateTable("bookings")
      .set(unknown)
      .where("id", "=", lost.booking)
      .execute();
    await shop.cards.pay(sale.intent);
    await reconcile(shop.deps);
    expect(await sale.order()).toMatchObject({ paid: true });
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

  test("the reconciling job expires overdue holds whose jobs were lost, and settleDeals sends due refunds", async ({
    shop,
    admin,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const overdue = await deal(shop, "held");
    const late = await deal(shop, "paid");
    await late.refund(admin);
    await shop.pool.query("delete from job_outbox; delete from graphile_worker._private_jobs");
    shop.clock.advance(1440);
    await reconcile(shop.deps);
    await settleDeals(shop.deps);
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
    expect(await late.payments()).toMatchObject([{ state: "refunded" }]);
  });
});
