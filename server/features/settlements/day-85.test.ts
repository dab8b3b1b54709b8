import { describe, expect } from "vitest";
import { complain, decideComplaint } from "#contract/complaints.ts";
import { settleLeftover } from "#contract/deal-records.ts";
import { toggleSuspension } from "#contract/members.ts";
import { listPayments, refundBooking } from "#contract/payments.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { balance, give, sendRefund } from "../../testing/credits.ts";
import { reportDispute } from "../../testing/disputes.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { type Deal, listLaptop, openDeal, payForDeal } from "../../testing/marketplace.ts";
import type { Person } from "../../testing/people.ts";
import {
  connectBank,
  day,
  earnedBy,
  handOver,
  hour,
  moneyOf,
  settlementOf,
  transfersOf,
  wait,
} from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { settleIntent } from "../payments/webhook.ts";
import { recordReversals } from "./record-reversals.ts";

const price = 64_000;
const part = 10_000;
const rest = 54_000;

const test = dealTest()
  .extend("handedOver", async ({ deal, pay, holdWebhooks }) => {
    await holdWebhooks();
    await pay(deal);
    await handOver(deal);
    return deal;
  })
  /** The seller was paid. */
  .extend("sold", async ({ shop, cards, seller, handedOver }) => {
    await connectBank(cards, seller);
    await wait(shop, 72 * hour);
    return handedOver;
  })
  /** An admin has taken $100 back from them in the provider's dashboard. */
  .extend("takenBack", async ({ shop, cards, sold: deal }) => {
    await cards.reverseTransfer(deal.booking, part);
    await recordReversals(shop.deps, deal.booking);
    await wait(shop, 1);
    return deal;
  });

/** Of the price, $100 goes back to the buyer. */
async function givePart(admin: Person, { booking: bookingId, buyer }: Deal<Person>) {
  const body = { bookingId, reason: "not_working" as const, words: "Dead keys." };
  await buyer.call(complain, { body });
  const decision = { refund: 100, words: "A part." };
  await admin.call(decideComplaint, { params: { id: bookingId }, body: decision });
}

async function waitEach(shop: Shop, minutes: number[]) {
  for (const one of minutes) await wait(shop, one);
}

/** The last day has come, and what the jobs do then arrives. */
async function passDeadline(shop: Shop, deal: Deal) {
  await waitEach(shop, [86 * day, 1]);
  await sendRefund(shop, deal);
  await wait(shop, 1);
}

const subjectsOf = async (shop: Shop, who: Person) =>
  (await emailsTo(shop, who)).map(({ subject }) => subject);

describe("money of which a part went back, and whose seller has no account,", () => {
  test("goes back to the buyer's card on day 85", async ({ shop, admin, seller, handedOver }) => {
    await givePart(admin, handedOver);
    await waitEach(shop, [1, 84 * day]);
    expect(await moneyOf(shop, handedOver)).toEqual({ refunded: part, held: rest });
    await passDeadline(shop, handedOver);
    expect(await moneyOf(shop, handedOver)).toEqual({ refunded: price });
    expect(await settlementOf(shop, handedOver)).toMatchObject({ state: "refunded" });
    expect(await subjectsOf(shop, handedOver.buyer)).toContain("We're refunding you $540");
    expect(await subjectsOf(shop, seller)).toContainEqual(
      expect.stringMatching(/^\$540 for your .* laptop went back to the buyer$/),
    );
  });

  test("goes back as credit as far as it was paid with it", async ({
    shop,
    cards,
    admin,
    seller,
    buyer,
    holdWebhooks,
  }) => {
    await holdWebhooks();
    await give(shop, buyer, 30);
    const deal = await openDeal(buyer, await listLaptop(seller));
    await payForDeal(cards, deal);
    await handOver(deal);
    await givePart(admin, deal);
    await wait(shop, 1);
    await passDeadline(shop, deal);
    expect(await moneyOf(shop, deal)).toEqual({ refunded: 61_000 });
    expect(await balance(buyer)).toBe(30);
    const told = (await emailsTo(shop, buyer)).find(({ subject }) => /refunding you/.test(subject));
    expect(told?.text).toContain("The $30 of credit that you used is yours to spend again, until");
  });
});

test("the money of a suspended seller goes back to the buyer on day 85", async ({
  shop,
  cards,
  admin,
  seller,
  handedOver,
}) => {
  await connectBank(cards, seller);
  await admin.call(toggleSuspension, { body: { id: seller.id, suspended: false } });
  await waitEach(shop, [72 * hour, 72 * day]);
  const mails = await emailsTo(shop, seller);
  expect(mails.filter(({ subject }) => /^We can't send you the money/.test(subject))).toMatchObject(
    [{ text: expect.stringContaining("still suspended in 10 days, the buyer gets it back") }],
  );
  const alarm = (await emailsTo(shop, admin)).find(({ text }) => text.includes(handedOver.intent));
  expect(alarm?.text).toMatch(
    /if they are suspended, decide .+\n\n(\$640 by .+\n\n)+View (the )?payments?:/,
  );
  await wait(shop, 9 * day);
  expect(await moneyOf(shop, handedOver)).toEqual({ held: price });
  await passDeadline(shop, handedOver);
  expect(await moneyOf(shop, handedOver)).toEqual({ refunded: price });
});

test("a suspended seller without an account is told before that they need both", async ({
  shop,
  admin,
  seller,
  handedOver,
}) => {
  await admin.call(toggleSuspension, { body: { id: seller.id, suspended: false } });
  await waitEach(shop, [72 * hour, 72 * day]);
  expect(await moneyOf(shop, handedOver)).toEqual({ held: price });
  const mails = await emailsTo(shop, seller);
  const both = "unless, within 10 days, we've let you back in and you've connected a bank account";
  expect(mails.filter(({ subject }) => /^We can't send you the money/.test(subject))).toMatchObject(
    [{ text: expect.stringContaining(both) }],
  );
});

test("money whose transfer the provider refuses again and again goes back to the buyer", async ({
  shop,
  cards,
  seller,
  handedOver,
}) => {
  await connectBank(cards, seller);
  const failNext = { method: "POST", path: "/v1/transfers", status: 400, times: 99 };
  await cards.injectFaults({ failNext, webhook: { hold: true } });
  await waitEach(shop, [72 * hour, 4 * day, 77 * day]);
  expect(await settlementOf(shop, handedOver)).toMatchObject({ state: "releasing" });
  await passDeadline(shop, handedOver);
  expect(await transfersOf(shop, handedOver)).toHaveLength(4);
  expect(await moneyOf(shop, handedOver)).toEqual({ refunded: price });
});

describe("a part that the buyer's card doesn't take", () => {
  const refusing = { method: "POST", path: "/v1/refunds", status: 400 };
  const unsentPart = async (admin: Person, { intent }: Deal) => {
    const [payment] = await admin.call(listPayments, { query: { search: intent } });
    return payment?.unsentPart;
  };
  const givenUp = test.extend("givenUp", async ({ shop, cards, seller, admin, handedOver }) => {
    await connectBank(cards, seller);
    await givePart(admin, handedOver);
    const failNext = { ...refusing, times: 99 };
    await cards.injectFaults({ failNext, webhook: { hold: true } });
    await waitEach(shop, [1, hour, day]);
    expect(await unsentPart(admin, handedOver)).toBe(100);
    return handedOver;
  });

  givenUp("is tried once more on day 85", async ({ shop, cards, admin, givenUp: deal }) => {
    await cards.injectFaults({ webhook: { hold: true } });
    await wait(shop, 80 * day);
    expect(await moneyOf(shop, deal)).toEqual({ held: price });
    await waitEach(shop, [6 * day, 1, 1]);
    expect(await moneyOf(shop, deal)).toEqual({ refunded: part, transferred: rest });
    expect(await unsentPart(admin, deal)).toBeNull();
  });

  givenUp("doesn't keep the rest from the seller then", async ({ shop, admin, givenUp: deal }) => {
    await waitEach(shop, [86 * day, 1, 1, 1]);
    expect(await moneyOf(shop, deal)).toEqual({ held: part, transferred: rest });
    expect(await unsentPart(admin, deal)).toBe(100);
    const told = async () =>
      (await emailsTo(shop, admin)).filter(
        ({ subject, text }) =>
          subject.startsWith("A $100 refund failed") && text.includes(deal.intent),
      ).length;
    expect(await told()).toBe(2);
    await waitEach(shop, [day, day]);
    expect(await told()).toBe(2);
  });
});

test("a refund of the whole that failed is tried once more on day 85", async ({
  shop,
  admin,
  hold,
  pay,
  holdWebhooks,
}) => {
  await holdWebhooks();
  const deal = await hold();
  await pay(deal);
  await admin.call(refundBooking, { body: { bookingId: deal.booking } });
  // As if it had failed three times.
  await shop.deps.db
    .updateTable("payments")
    .set({ state: "refund_failed" })
    .where("booking_id", "=", deal.booking)
    .execute();
  await wait(shop, 84 * day);
  await sendRefund(shop, deal);
  expect(await moneyOf(shop, deal)).toEqual({ held: price });
  await passDeadline(shop, deal);
  expect(await moneyOf(shop, deal)).toEqual({ refunded: price });
});

describe("money that came back to a settled deal, and that no admin sends on,", () => {
  test("goes to the buyer's card on day 85", async ({ shop, seller, takenBack: deal }) => {
    await wait(shop, 81 * day);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: rest, held: part });
    await passDeadline(shop, deal);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: rest, refunded: part });
    expect(await settlementOf(shop, deal)).toMatchObject({ leftover_alarmed_at: null });
    expect(await earnedBy(seller)).toBe(540);
  });

  test("stays with the admins for ten days if that is later", async ({ shop, cards, sold }) => {
    await wait(shop, 85 * day);
    await cards.reverseTransfer(sold.booking, part);
    await recordReversals(shop.deps, sold.booking);
    await waitEach(shop, [1, 10 * day - 1]);
    expect(await moneyOf(shop, sold)).toEqual({ transferred: rest, held: part });
    await waitEach(shop, [1, 1, 1]);
    expect(await moneyOf(shop, sold)).toEqual({ transferred: rest, refunded: part });
  });

  test("goes to the seller who paid for a dispute that the shop has won since", async ({
    shop,
    cards,
    seller,
    sold,
    hold,
  }) => {
    await reportDispute(shop, sold, { state: "lost", movements: [-price] });
    for (let again = 0; again < 3; again += 1) await wait(shop, 1);
    expect(await moneyOf(shop, sold)).toEqual({});
    await reportDispute(shop, sold, { state: "won", movements: [-price, price] });
    await wait(shop, 1);
    expect(await moneyOf(shop, sold)).toEqual({ held: price });
    // A transfer of a later round comes from the shop's balance: here that of another payment.
    await cards.pay((await hold()).intent);
    await cards.advanceClock(3);
    await waitEach(shop, [86 * day, 1]);
    expect(await settlementOf(shop, sold)).toMatchObject({ state: "released", round: 2 });
    expect(await moneyOf(shop, sold)).toEqual({ transferred: price });
    expect(await earnedBy(seller)).toBe(640);
  });

  test("goes to the buyer if an admin has sent it to a seller who can't receive it any more", async ({
    shop,
    admin,
    seller,
    takenBack: deal,
  }) => {
    const body = { to: "seller" as const, amount: 100 };
    await admin.call(settleLeftover, { params: { id: deal.booking }, body });
    await shop.deps.db
      .updateTable("payout_accounts")
      .set({ transfers_active: false })
      .where("member_id", "=", seller.id)
      .execute();
    await wait(shop, 1);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: rest, held: part });
    await passDeadline(shop, deal);
    expect(await moneyOf(shop, deal)).toEqual({ transferred: rest, refunded: part });
    expect(await settlementOf(shop, deal)).toMatchObject({ state: "released", round: 2 });
    await settleIntent(shop.deps, deal.intent);
  });
});
