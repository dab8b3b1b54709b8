import { describe, expect } from "vitest";
import { deleteUser } from "#contract/members.ts";
import { sendQueuedEmail } from "../../email/queue-email.ts";
import { emailSubjects, emailsTo, queuedSubjects } from "../../testing/booking-emails.ts";
import { deal } from "../../testing/deal.ts";
import { endHoldWithoutProvider } from "../../testing/deals.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { mailsTo, queuedEmails } from "../../testing/inbox.ts";
import { goodLaptop } from "../../testing/marketplace.ts";
import type { Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { reconcile } from "../money/reconcile.ts";
import { refundPayment } from "../money/send-refund.ts";
import { cleanUp, retentionHours } from "../retention/clean-up.ts";

// There is no worker, so queued emails stay in the queue. The tests run jobs themselves.
const test = dealTest();

const laptop = goodLaptop.product_name;

/** Sends even emails that were already sent. Returns each side's subjects in order. */
async function sendAll(shop: Shop, { seller, buyer }: Record<"seller" | "buyer", Person>) {
  for (const email of await queuedEmails(shop)) await sendQueuedEmail(shop.deps, email);
  const received = async ({ email }: Person) =>
    (await mailsTo(shop, email)).map(({ subject }) => subject).reverse();
  return { buyer: await received(buyer), seller: await received(seller) };
}

describe("emails about a payment", () => {
  test("§10.14: the buyer gets one receipt and the seller one email about the sale, however often the payment is reported", async ({
    shop,
  }) => {
    const sale = await deal(shop, "paid");
    const { seller, buyer } = sale;
    await sale.report();
    await sale.refresh();
    await reconcile(shop.deps);
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual({
      buyer: [emailSubjects.holdToBuyer, emailSubjects.receipt],
      seller: [emailSubjects.holdToSeller, emailSubjects.sold],
    });
    const receipt = (await emailsTo(shop, buyer))[1];
    const link = `View your receipt:\n${shop.url}/dashboard/payment/${sale.booking}\n`;
    for (const said of [laptop, "$640", sale.intent, "Meet the seller", link])
      expect(receipt?.text).toContain(said);
    expect((await emailsTo(shop, seller))[1]?.text).toContain(`${shop.url}/dashboard/myProducts\n`);
  });

  test("if a late payment buys the laptop after the hold ended, each side gets one email about the payment", async ({
    shop,
    seller,
    buyer,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged", { seller, buyer });
    await endHoldWithoutProvider(shop, sale, "expired");
    await sale.report();
    await sale.refresh();
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual({
      buyer: [emailSubjects.holdToBuyer, emailSubjects.reclaimed],
      seller: [emailSubjects.holdToSeller, emailSubjects.sold],
    });
    const { text } = (await emailsTo(shop, buyer))[1] ?? {};
    expect(text).toContain(sale.intent);
    expect(text).toContain(`:\n${shop.url}/dashboard/payment/${sale.booking}\n`);
  });

  test("§10.14: the seller is emailed about a refund immediately, and the buyer when the provider has accepted the refund", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "paid");
    const { seller, buyer } = sale;
    const payment = await sale.refund(admin);
    await sale.refund(admin);
    const before = await queuedSubjects(shop, { buyer, seller });
    expect(before.seller.slice(2)).toEqual([emailSubjects.saleCancelled]);
    expect(before.buyer).toHaveLength(2);
    await Promise.all([1, 2].map(() => refundPayment(shop.deps, payment)));
    await refundPayment(shop.deps, payment);
    await sale.refresh();
    const after = await queuedSubjects(shop, { buyer, seller });
    expect(after.seller).toEqual(before.seller);
    expect(after.buyer.slice(2)).toEqual([emailSubjects.refund]);
  });

  test("a payment that was refunded before the shop recorded it causes emails about the refund, not the sale", async ({
    shop,
    seller,
    buyer,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged", { seller, buyer });
    await sale.refundElsewhere();
    await reconcile(shop.deps);
    expect(await sendAll(shop, { seller, buyer })).toEqual({
      buyer: [emailSubjects.refund],
      seller: [emailSubjects.saleCancelled],
    });
  });

  test("a delayed email is not sent if it no longer fits the deal's state", async ({
    shop,
    seller,
    buyer,
  }) => {
    const sale = await deal(shop, "held", { seller, buyer });
    expect(await sendAll(shop, { seller, buyer })).toEqual({
      buyer: [emailSubjects.holdToBuyer],
      seller: [emailSubjects.holdToSeller],
    });
    await sale.pay();
    const [receipt, sold] = [emailSubjects.receipt, emailSubjects.sold];
    expect(await sendAll(shop, { seller, buyer })).toEqual({
      buyer: [emailSubjects.holdToBuyer, receipt],
      seller: [emailSubjects.holdToSeller, sold],
    });
    await sale.handOver();
    expect(await sendAll(shop, { seller, buyer })).toEqual({
      buyer: [emailSubjects.holdToBuyer, receipt, receipt],
      seller: [emailSubjects.holdToSeller, sold, sold, emailSubjects.handedOver],
    });
  });

  test("a buyer who has been erased gets no email", async ({ shop, admin }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged");
    await endHoldWithoutProvider(shop, sale, "cancelled");
    await admin.call(deleteUser, { params: { id: sale.buyer.id } });
    shop.clock.advance(retentionHours.deletedMembers * 60 + 1);
    await cleanUp(shop.deps);
    await sale.refresh();
    await sale.sendRefund();
    const { refunds } = await shop.cards.ledger();
    expect(refunds.filter(({ payment_intent }) => payment_intent === sale.intent)).toHaveLength(1);
    const written = (await queuedEmails(shop)).map(({ to }) => to);
    expect(written.filter((to) => to.endsWith(".invalid"))).toEqual([]);
  });
});
