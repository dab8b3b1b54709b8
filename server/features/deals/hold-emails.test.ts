import { describe, expect, test as unitTest } from "vitest";
import { bookProduct } from "#contract/bookings.ts";
import { deleteUser } from "#contract/members.ts";
import { sendQueuedEmail } from "../../email/send-email.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import {
  emailSubjects,
  emailsTo,
  mailsTo,
  queuedEmails,
  queuedSubjects,
} from "../../testing/inbox.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import {
  bookLaptop,
  callsOver,
  cancelHold,
  goodLaptop,
  orderFor,
} from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { endHoldWithoutProvider } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { reconcile } from "../money/reconcile.ts";
import { refundPayment } from "../money/send-refund.ts";
import { cleanUp, retentionHours } from "../retention/clean-up.ts";
import { withArticle } from "./booking-email.ts";
import { expireHold } from "./end-hold.ts";

const test = dealTest();

const laptop = goodLaptop.product_name;

const { holdToBuyer, holdToSeller, receipt, sold } = emailSubjects;
const aboutHold = { buyer: [holdToBuyer], seller: [holdToSeller] };
const aboutSale = { buyer: [holdToBuyer, receipt], seller: [holdToSeller, sold] };

describe("emails about a hold", () => {
  test("§10.14: hold emails don't name the other side, and the buyer's email says where to pay and how much time is left", async ({
    shop,
    seller,
    buyer,
  }) => {
    const booking = await bookLaptop(buyer, await insertLaptop(shop, seller));
    const [confirmed] = await emailsTo(shop, buyer);
    const [announced] = await emailsTo(shop, seller);
    expect(confirmed?.text).toContain("for you for 24 hours.");
    expect(announced?.text).toContain("They have 24 hours to pay.");
    for (const email of [confirmed, announced]) {
      expect(email?.text).toContain(laptop);
      expect(email?.text).toContain("$640");
    }
    expect(confirmed?.text).toContain(`:\n${shop.url}/dashboard/payment/${booking}\n`);
    expect(announced?.text).toContain(`:\n${shop.url}/dashboard/myProducts\n`);
    const { mobile_number } = goodLaptop;
    for (const known of [buyer.name, buyer.email, "5550177", "Station"])
      expect(announced?.text).not.toContain(known);
    for (const known of [seller.name, seller.email, mobile_number, "Leeds"])
      expect(confirmed?.text).not.toContain(known);
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual(aboutHold);
  });

  test("repeated and rejected hold requests send no further emails", async ({
    shop,
    seller,
    buyer,
  }) => {
    const body = orderFor(await insertLaptop(shop, seller));
    const ask = async (who: Person, key?: string) =>
      (await callsOver({ ...who.connection, key }).send(bookProduct, { body })).status;
    const rival = await member(shop);
    expect(await ask(buyer, "hold it")).toBe(201);
    expect(await ask(buyer, "hold it")).toBe(201);
    expect(await ask(buyer)).toBe(200);
    expect((await errorOf(ask(rival))).status).toBe(409);
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual(aboutHold);
    expect(await emailsTo(shop, rival)).toEqual([]);
  });

  test("§10.14: both sides are emailed once when a hold expires", async ({
    shop,
    seller,
    buyer,
  }) => {
    const { booking } = await deal(shop, "held", { seller, buyer });
    shop.clock.advance(shop.deps.config.times.holdHours * 60);
    await expireHold(shop.deps, booking);
    await expireHold(shop.deps, booking);
    await reconcile(shop.deps);
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual({
      buyer: [holdToBuyer, emailSubjects.expired],
      seller: [holdToSeller, emailSubjects.backOnSale],
    });
    expect((await emailsTo(shop, buyer))[1]?.text).toMatch(
      new RegExp(`:\n${shop.url}/categoryProducts/[\\w-]{36}\n`),
    );
  });

  test("§10.14: canceling a hold emails the other side", async ({ shop, seller, buyer }) => {
    const endBy = async (who: Person) => {
      await cancelHold(who, await bookLaptop(buyer, await insertLaptop(shop, seller)));
    };
    await endBy(buyer);
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual({
      buyer: [holdToBuyer],
      seller: [holdToSeller, emailSubjects.backOnSale],
    });
    await endBy(seller);
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual({
      buyer: [holdToBuyer, holdToBuyer, emailSubjects.cancelled],
      seller: [holdToSeller, emailSubjects.backOnSale, holdToSeller],
    });
  });

  test("when a member is deleted, both sides are emailed about each hold that ends", async ({
    shop,
    admin,
    seller,
    buyer,
  }) => {
    // The first hold has no payment intent and ends. Canceling the second hold's intent fails.
    await bookLaptop(buyer, await insertLaptop(shop, seller));
    shop.clock.advance(1);
    await deal(shop, "held", { seller, buyer });
    const path = "/v1/payment_intents/:id/cancel";
    await shop.cards.injectFaults({ failNext: { method: "POST", path, status: 500, times: 9 } });
    const params = { params: { id: buyer.id } };
    expect(await errorOf(admin.call(deleteUser, params))).toMatchObject({
      status: 502,
      code: "PROVIDER_UNAVAILABLE",
    });
    await shop.cards.injectFaults({});
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual({
      buyer: [holdToBuyer, holdToBuyer, emailSubjects.cancelled],
      seller: [holdToSeller, holdToSeller, emailSubjects.backOnSale],
    });
    await admin.call(deleteUser, { params: { id: seller.id } });
    expect((await queuedSubjects(shop, { buyer, seller })).buyer.slice(3)).toEqual([
      emailSubjects.cancelled,
    ]);
    expect((await queuedSubjects(shop, { buyer, seller })).seller.slice(3)).toEqual([
      emailSubjects.backOnSale,
    ]);
  });

  test("a seller is emailed about at most three holds per buyer per day, but also about a later payment", async ({
    shop,
    seller,
    buyer,
  }) => {
    const product = await insertLaptop(shop, seller);
    for (let times = 1; times <= 5; times += 1) {
      shop.clock.advance(1);
      await cancelHold(buyer, await bookLaptop(buyer, product));
    }
    const ofHolds = [1, 2, 3].flatMap(() => [holdToSeller, emailSubjects.backOnSale]);
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual({
      buyer: Array(5).fill(holdToBuyer),
      seller: ofHolds,
    });
    shop.clock.advance(1);
    await deal(shop, "paid", { seller, buyer, product });
    expect((await queuedSubjects(shop, { buyer, seller })).seller).toEqual([...ofHolds, sold]);
    shop.clock.advance(24 * 60);
    await bookLaptop(buyer, await insertLaptop(shop, seller));
    expect((await queuedSubjects(shop, { buyer, seller })).seller.at(-1)).toBe(holdToSeller);
  });

  test("a booking email has no text from members in its subject, and omits a laptop name with a web address from its text", async ({
    shop,
    seller,
    buyer,
  }) => {
    // The API rejects such names, which older listings may have.
    const product_name = "PayPal: your account is locked. Verify at https://evil.example";
    const product = await insertLaptop(shop, seller, { product_name });
    await deal(shop, "paid", { seller, buyer, product });
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual(aboutSale);
    for (const who of [buyer, seller])
      for (const { text, html } of await emailsTo(shop, who))
        expect(`${text}${html}`).not.toMatch(/PayPal|evil/);
  });
});

/** Sends both sides' queued emails, even those sent before. Returns the subjects, oldest first. */
async function sendAll(shop: Shop, { seller, buyer }: Record<"seller" | "buyer", Person>) {
  for (const email of await queuedEmails(shop))
    if ([seller.email, buyer.email].includes(email.to)) await sendQueuedEmail(shop.deps, email);
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
    expect(await queuedSubjects(shop, { buyer, seller })).toEqual(aboutSale);
    const receipt = (await emailsTo(shop, buyer))[1];
    const link = `View your receipt:\n${shop.url}/dashboard/payment/${sale.booking}\n`;
    for (const said of [laptop, "$640", sale.intent, "Meet the seller", link])
      expect(receipt?.text).toContain(said);
    expect((await emailsTo(shop, seller))[1]?.text).toContain(`${shop.url}/dashboard/myProducts\n`);
  });

  test("if a payment arrives after the hold ends but still buys the laptop, each side gets one email about the sale", async ({
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
      buyer: [holdToBuyer, emailSubjects.reclaimed],
      seller: [holdToSeller, sold],
    });
    const { text } = (await emailsTo(shop, buyer))[1] ?? {};
    expect(text).toContain(sale.intent);
    expect(text).toContain(`:\n${shop.url}/dashboard/payment/${sale.booking}\n`);
  });

  test("§10.14: the seller is emailed about a refund immediately, and the buyer once the provider accepts it", async ({
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

  test("if a payment is refunded before the shop records it, the buyer is emailed only about the refund, and the seller only about the cancellation", async ({
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
    expect(await sendAll(shop, { seller, buyer })).toEqual(aboutHold);
    await sale.pay();
    expect(await sendAll(shop, { seller, buyer })).toEqual(aboutSale);
    await sale.handOver();
    expect(await sendAll(shop, { seller, buyer })).toEqual({
      buyer: [holdToBuyer, receipt, receipt],
      seller: [holdToSeller, sold, sold, emailSubjects.handedOver],
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
    expect(await sale.refundsAtProvider()).toHaveLength(1);
    const written = (await queuedEmails(shop)).map(({ to }) => to);
    expect(written.filter((to) => to.endsWith(".invalid"))).toEqual([]);
  });
});

unitTest("in emails, the article before a brand's name fits how the name sounds", () => {
  for (const brand of ["Apple", "Acer", "HP", "LG", "MSI"])
    expect(withArticle(brand)).toBe(`an ${brand} laptop`);
  for (const brand of ["Dell", "Lenovo", "Microsoft Surface"])
    expect(withArticle(brand)).toBe(`a ${brand} laptop`);
});
