import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bookProduct, cancelBooking, confirmHandover } from "#contract/bookings.ts";
import { deleteUser } from "#contract/members.ts";
import { refundBooking } from "#contract/payments.ts";
import { type CardProvider, cardProvider } from "../../testing/cards.ts";
import {
  type Deal,
  endHoldWithoutProvider,
  openDeal,
  sendRecordPayment,
} from "../../testing/deals.ts";
import { mailsTo, queuedEmails } from "../../testing/inbox.ts";
import { createMember, errorOf, goodLaptop, type Person, sell } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { expireHold } from "../bookings/hold-expiry.ts";
import { settleIntent } from "../payments/payments.ts";
import { reconcile } from "../payments/reconcile.ts";
import { refundPayment } from "../payments/refunds.ts";
import { cleanUp, retentionHours } from "../retention/clean-up.ts";
import { sendQueuedEmail } from "./send-email.ts";

let shop: Shop;
let desk: CardProvider;
let admin: Person;
let seller: Person;
let buyer: Person;

const laptop = goodLaptop.product_name;
/** The brand of what `sell` lists: the first category. */
const brand = "Apple";
const isHeld = `Your ${brand} laptop is on hold for you`;
const isOnHold = `Your ${brand} laptop is on hold`;
const forSaleAgain = `Your ${brand} laptop is for sale again`;
const canceled = `Your hold on a ${brand} laptop was canceled`;
const receiptFor = `Your receipt for a ${brand} laptop`;
const soldYours = `You sold your ${brand} laptop`;
const saleCanceled = `The sale of your ${brand} laptop was canceled`;
const refundOnItsWay = "Your refund of $640 is on its way";

beforeAll(async () => {
  // Without a worker: what is in the outbox stays there to be counted, and no job is done but by hand.
  shop = await openShop({ sandbox: true });
  desk = cardProvider(shop.sandbox?.url ?? "");
  admin = await createMember(shop, { isAdmin: true });
});
beforeEach(async () => {
  [seller, buyer] = await Promise.all([
    createMember(shop, { accountType: "seller" }),
    createMember(shop),
  ]);
});
afterAll(() => shop.close());

const hold = () => openDeal(shop, { seller, buyer });

async function pay(deal: Deal): Promise<void> {
  await desk.pay(deal.intent);
  await sendRecordPayment(deal);
}

const lettersTo = async ({ email }: Person) =>
  (await queuedEmails(shop)).filter(({ to }) => to === email);

/** The subjects of every letter the two have been written, oldest first. */
async function told() {
  const subjects = async (who: Person) => (await lettersTo(who)).map(({ subject }) => subject);
  return { buyer: await subjects(buyer), seller: await subjects(seller) };
}

/** Sends every letter left, as often as this is asked; answers the subjects in each mailbox, oldest first. */
async function send() {
  for (const letter of await queuedEmails(shop)) await sendQueuedEmail(shop.deps, letter);
  const inbox = async ({ email }: Person) =>
    (await mailsTo(shop, email)).map(({ subject }) => subject).reverse();
  return { buyer: await inbox(buyer), seller: await inbox(seller) };
}

describe("a hold", () => {
  test("§10.14: is confirmed to its buyer, who reads until when it is and pays from there, and told to the seller; neither learns who the other is", async () => {
    const { booking } = await hold();
    const [confirmed] = await lettersTo(buyer);
    const [announced] = await lettersTo(seller);
    const end = new Date(shop.clock.now().getTime() + shop.deps.config.holdMinutes * 60_000);
    const day = `${end.toLocaleString("en-US", { month: "short", timeZone: "UTC" })} ${end.getUTCDate()}, ${end.getUTCFullYear()}`;
    const minute = String(end.getUTCMinutes()).padStart(2, "0");
    const until = new RegExp(`until ${day}, ${end.getUTCHours() % 12 || 12}:${minute}\\s[AP]M UTC`);
    for (const letter of [confirmed, announced]) {
      expect(letter?.text).toMatch(until);
      expect(letter?.text).toContain(laptop);
      expect(letter?.text).toContain("$640");
    }
    expect(confirmed?.text).toContain(`:\n${shop.url}/dashboard/payment/${booking}\n`);
    expect(announced?.text).toContain(`:\n${shop.url}/dashboard/myProducts\n`);
    const { mobile_number } = goodLaptop;
    for (const known of [buyer.name, buyer.email, "5550123", "Station"])
      expect(announced?.text).not.toContain(known);
    for (const known of [seller.name, seller.email, mobile_number, "Leeds"])
      expect(confirmed?.text).not.toContain(known);
    expect(await told()).toEqual({ buyer: [isHeld], seller: [isOnHold] });
  });

  test("asked for again, or repeated with its key, is told once; one that is refused is not told", async () => {
    const bookingProduct = { _id: await sell(shop, seller) };
    const body = { price: 640, phone: "5550123", location: "Station", bookingProduct };
    const ask = async (who: Person, key?: string) => {
      const headers = {
        authorization: `Bearer ${await who.token()}`,
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
      };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(`${shop.url}/api/bookingProducts`, init)).status;
    };
    const rival = await createMember(shop);
    expect(await ask(buyer, "hold it")).toBe(201);
    expect(await ask(buyer, "hold it")).toBe(201);
    expect(await ask(buyer)).toBe(200);
    expect(await ask(rival)).toBe(409);
    expect(await told()).toEqual({ buyer: [isHeld], seller: [isOnHold] });
    expect(await lettersTo(rival)).toEqual([]);
  });

  test("§10.14: that runs out is told to both, once, however often somebody looks", async () => {
    const { booking } = await hold();
    shop.clock.advance(shop.deps.config.holdMinutes);
    await expireHold(shop.deps, booking);
    await expireHold(shop.deps, booking);
    await reconcile(shop.deps);
    expect(await told()).toEqual({
      buyer: [isHeld, `Your hold on a ${brand} laptop has expired`],
      seller: [isOnHold, forSaleAgain],
    });
    expect((await lettersTo(buyer))[1]?.text).toMatch(
      new RegExp(`:\n${shop.url}/categoryProducts/[\\w-]{36}\n`),
    );
  });

  test("§10.14: that one side ends is told to the other", async () => {
    const endBy = async (who: Person) => {
      const { booking } = await hold();
      await who.call(cancelBooking, { params: { id: booking } });
    };
    await endBy(buyer);
    expect(await told()).toEqual({ buyer: [isHeld], seller: [isOnHold, forSaleAgain] });
    await endBy(seller);
    expect(await told()).toEqual({
      buyer: [isHeld, isHeld, canceled],
      seller: [isOnHold, forSaleAgain, isOnHold],
    });
  });

  test("that ends because a member is being deleted is told to both, for they may stay", async () => {
    // Nothing of this one is at the provider, so it ends; the later one can't.
    const bookingProduct = { _id: await sell(shop, seller) };
    const body = { price: 640, phone: "5550123", location: "Station", bookingProduct };
    await buyer.call(bookProduct, { body });
    shop.clock.advance(1);
    await hold();
    const path = "/v1/payment_intents/:id/cancel";
    await desk.injectFaults({ failNext: { method: "POST", path, status: 500, times: 9 } });
    const params = { params: { id: buyer.id } };
    expect(await errorOf(admin.call(deleteUser, params))).toMatchObject({ status: 502 });
    await desk.injectFaults({});
    expect(await told()).toEqual({
      buyer: [isHeld, isHeld, canceled],
      seller: [isOnHold, isOnHold, forSaleAgain],
    });
    await admin.call(deleteUser, { params: { id: seller.id } });
    expect((await told()).buyer.slice(3)).toEqual([canceled]);
    expect((await told()).seller.slice(3)).toEqual([forSaleAgain]);
  });

  test("one buyer may begin and end all day; the seller hears of three in a day, and of what is paid", async () => {
    const product = await sell(shop, seller);
    const holdAgain = async () => {
      shop.clock.advance(1);
      return await openDeal(shop, { seller, buyer, product });
    };
    for (let times = 1; times <= 5; times += 1) {
      const { booking } = await holdAgain();
      await buyer.call(cancelBooking, { params: { id: booking } });
    }
    const ofHolds = [1, 2, 3].flatMap(() => [isOnHold, forSaleAgain]);
    expect(await told()).toEqual({ buyer: Array(5).fill(isHeld), seller: ofHolds });
    await pay(await holdAgain());
    expect((await told()).seller).toEqual([...ofHolds, soldYours]);
    shop.clock.advance(24 * 60);
    await openDeal(shop, { seller, buyer });
    expect((await told()).seller.at(-1)).toBe(isOnHold);
  });

  test("of a laptop with a hostile name is told in letters where that is text", async () => {
    const product_name = `</p><img src=x onerror="alert('1')"> & co`;
    const product = await sell(shop, seller, { product_name });
    await openDeal(shop, { seller, buyer, product });
    for (const who of [buyer, seller]) {
      const [letter] = await lettersTo(who);
      expect(letter?.subject).not.toContain("alert");
      expect(letter?.text).toContain(`Listing: “${product_name}”`);
      expect(letter?.html).not.toContain("<img");
      expect(letter?.html.match(/<\/p>/g)).toHaveLength(6);
    }
  });
});

describe("a subject", () => {
  test("has nobody's own words; a laptop whose name has a web address in it is not named at all", async () => {
    const product = await sell(shop, seller);
    const product_name = "PayPal: your account is locked. Verify at https://evil.example";
    // As it could be listed before names took no addresses.
    await shop.deps.db
      .updateTable("products")
      .set({ product_name })
      .where("id", "=", product)
      .execute();
    await pay(await openDeal(shop, { seller, buyer, product }));
    expect(await told()).toEqual({ buyer: [isHeld, receiptFor], seller: [isOnHold, soldYours] });
    for (const { text, html } of [...(await lettersTo(buyer)), ...(await lettersTo(seller))]) {
      expect(text).not.toMatch(/PayPal|evil/);
      expect(html).not.toMatch(/PayPal|evil/);
    }
  });
});

describe("an address nobody has confirmed", () => {
  test("gets no mail of a deal, whatever happens in it", async () => {
    [seller, buyer] = await Promise.all([
      createMember(shop, { accountType: "seller", confirmed: false }),
      createMember(shop, { confirmed: false }),
    ]);
    const { booking } = await hold();
    await buyer.call(cancelBooking, { params: { id: booking } });
    const refunded = await hold();
    await pay(refunded);
    const { booking: bookingId } = refunded;
    const { insertedId } = await admin.call(refundBooking, { body: { bookingId } });
    await refundPayment(shop.deps, insertedId);
    expect(await told()).toEqual({ buyer: [], seller: [] });
  });
});

describe("a payment", () => {
  test("§10.14: is a receipt to its buyer and a sale to the seller, once, whoever tells of it and however often", async () => {
    const deal = await hold();
    await pay(deal);
    await sendRecordPayment(deal);
    await settleIntent(shop.deps, deal.intent);
    await reconcile(shop.deps);
    expect(await told()).toEqual({
      buyer: [isHeld, receiptFor],
      seller: [isOnHold, soldYours],
    });
    const receipt = (await lettersTo(buyer))[1];
    const link = `View your receipt:\n${shop.url}/dashboard/payment/${deal.booking}\n`;
    for (const said of [laptop, "$640", deal.intent, "meet the seller", link])
      expect(receipt?.text).toContain(said);
    expect((await lettersTo(seller))[1]?.text).toContain(`${shop.url}/dashboard/myProducts\n`);
  });

  test("that takes a laptop back after its hold had ended is told once to each", async () => {
    const deal = await hold();
    await desk.pay(deal.intent);
    await endHoldWithoutProvider(shop, deal, "expired");
    await sendRecordPayment(deal);
    await settleIntent(shop.deps, deal.intent);
    expect(await told()).toEqual({
      buyer: [isHeld, `The ${brand} laptop is yours after all`],
      seller: [isOnHold, soldYours],
    });
    const { text } = (await lettersTo(buyer))[1] ?? {};
    expect(text).toContain(deal.intent);
    expect(text).toContain(`:\n${shop.url}/dashboard/payment/${deal.booking}\n`);
  });

  test("§10.14: that is refunded is told to the seller at once, and to the buyer once the money is on its way", async () => {
    const deal = await hold();
    await pay(deal);
    const refund = async () =>
      (await admin.call(refundBooking, { body: { bookingId: deal.booking } })).insertedId;
    const payment = await refund();
    await refund();
    const before = await told();
    expect(before.seller.slice(2)).toEqual([saleCanceled]);
    expect(before.buyer).toHaveLength(2);
    await Promise.all([1, 2].map(() => refundPayment(shop.deps, payment)));
    await refundPayment(shop.deps, payment);
    await settleIntent(shop.deps, deal.intent);
    const after = await told();
    expect(after.seller).toEqual(before.seller);
    expect(after.buyer.slice(2)).toEqual([refundOnItsWay]);
  });

  test("that was given back before we heard of it is told as undone and on its way back, and never as a sale", async () => {
    const deal = await hold();
    await desk.pay(deal.intent);
    await desk.refund(deal.intent);
    await settleIntent(shop.deps, deal.intent);
    await reconcile(shop.deps);
    expect(await send()).toEqual({
      buyer: [refundOnItsWay],
      seller: [saleCanceled],
    });
  });

  test("is told of as long as it is so, however late the letters leave, and each says of when it is", async () => {
    const deal = await hold();
    expect(await send()).toEqual({ buyer: [isHeld], seller: [isOnHold] });
    await pay(deal);
    const [receipt, sale] = [receiptFor, soldYours];
    expect(await send()).toEqual({ buyer: [isHeld, receipt], seller: [isOnHold, sale] });
    await buyer.call(confirmHandover, { body: { id: deal.booking } });
    expect(await send()).toEqual({
      buyer: [isHeld, receipt, receipt],
      seller: [isOnHold, sale, sale],
    });
    for (const { text } of [...(await lettersTo(buyer)), ...(await lettersTo(seller))])
      expect(text).toMatch(/\n\nWritten [A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d\s[AP]M UTC\.\n/);
  });

  test("that comes when its buyer is long forgotten is told to nobody", async () => {
    const deal = await hold();
    await desk.pay(deal.intent);
    await endHoldWithoutProvider(shop, deal, "cancelled");
    await admin.call(deleteUser, { params: { id: buyer.id } });
    shop.clock.advance(retentionHours.deletedMembers * 60 + 1);
    await cleanUp(shop.deps);
    await settleIntent(shop.deps, deal.intent);
    await reconcile(shop.deps);
    const { refunds } = await desk.ledger();
    expect(refunds.filter(({ payment_intent }) => payment_intent === deal.intent)).toHaveLength(1);
    const written = (await queuedEmails(shop)).map(({ to }) => to);
    expect(written.filter((to) => to.endsWith(".invalid"))).toEqual([]);
  });
});
