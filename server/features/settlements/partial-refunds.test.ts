import { describe, expect } from "vitest";
import { complain, decideComplaint } from "#contract/complaints.ts";
import { deleteUser } from "#contract/members.ts";
import { listPayments, refundBooking, settleRefund } from "#contract/payments.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import type { CardProvider } from "../../testing/cards.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import {
  connectBank,
  day,
  handOver,
  hour,
  moneyOf,
  settlementOf,
  transfersOf,
  wait,
} from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { settleIntent } from "../payments/webhook.ts";
import { settleDeals } from "./settle-deals.ts";

const test = dealTest()
  /** Of $640, an admin gives the buyer $100; the seller has no account yet. */
  .extend("decided", async ({ admin, deal, pay, holdWebhooks }) => {
    await holdWebhooks();
    await pay(deal);
    await handOver(deal);
    const { booking: bookingId, buyer } = deal;
    const body = { bookingId, reason: "not_working" as const, words: "Dead keys." };
    await buyer.call(complain, { body });
    const decision = { refund: 100, words: "A part." };
    await admin.call(decideComplaint, { params: { id: bookingId }, body: decision });
    return deal;
  })
  /** The same, refunded, and sent back by the buyer's bank. */
  .extend("sentBack", async ({ shop, cards, decided }) => {
    await wait(shop, 1);
    await cards.failRefund(await newestRefund(shop, decided.booking));
    await settleIntent(shop.deps, decided.intent);
    return decided;
  });
const price = 64_000;
const part = 10_000;
const rest = 54_000;

async function newestRefund({ deps }: Shop, booking: string): Promise<string> {
  const { provider_id } = await deps.db
    .selectFrom("partial_refunds")
    .select("provider_id")
    .where("booking_id", "=", booking)
    .orderBy("attempt", "desc")
    .executeTakeFirstOrThrow();
  return provider_id ?? "";
}

async function unsentPart(admin: Person, search: string) {
  const [payment] = await admin.call(listPayments, { query: { search } });
  return payment?.unsentPart;
}

const asked = async (shop: Shop, who: Person, subject: string) =>
  (await emailsTo(shop, who)).filter((one) => one.subject === subject).length;

test("a buyer whose part is on its way can't be deleted", async ({ admin, buyer, sentBack }) => {
  expect(sentBack).toBeDefined();
  const remove = admin.call(deleteUser, { params: { id: buyer.id } });
  expect(await errorOf(remove)).toMatchObject({ status: 409, code: "IN_USE" });
});

describe("a part that the buyer's bank sends back while the rest waits for the seller's account", () => {
  test("stays the buyer's, and is refunded again after an hour", async ({
    shop,
    cards,
    seller,
    sentBack,
  }) => {
    expect(await settlementOf(shop, sentBack)).toMatchObject({ state: "releasing" });
    await connectBank(cards, seller);
    await wait(shop, 1);
    expect(await transfersOf(shop, sentBack)).toMatchObject([{ state: "made", cents: rest }]);
    expect(await moneyOf(shop, sentBack)).toEqual({ held: part, transferred: rest });
    await wait(shop, hour);
    await wait(shop, 1);
    expect(await moneyOf(shop, sentBack)).toEqual({ refunded: part, transferred: rest });
  });

  test("is handed to an admin after the third time, and sent in another way", async ({
    shop,
    cards,
    admin,
    buyer,
    sentBack,
  }) => {
    for (const minutes of [hour, day]) {
      expect(await unsentPart(admin, sentBack.intent)).toBeNull();
      await wait(shop, minutes);
      await cards.failRefund(await newestRefund(shop, sentBack.booking));
      await settleIntent(shop.deps, sentBack.intent);
    }
    await wait(shop, 30 * day);
    expect(await unsentPart(admin, sentBack.intent)).toBe(100);
    expect(await asked(shop, admin, "A $100 refund failed: please send it another way")).toBe(1);
    expect(await asked(shop, buyer, "We couldn't refund $100 to your card")).toBe(1);
    const body = { bookingId: sentBack.booking };
    await admin.call(settleRefund, { body });
    expect(await errorOf(admin.call(settleRefund, { body }))).toMatchObject({ code: "STALE" });
    expect(await unsentPart(admin, sentBack.intent)).toBeNull();
    expect(await moneyOf(shop, sentBack)).toEqual({ held: rest, refunded: part });
  });

  test("is not owed any more once an admin has refunded it in the provider's dashboard", async ({
    shop,
    cards,
    seller,
    sentBack,
  }) => {
    await cards.refund(sentBack.intent, part);
    await connectBank(cards, seller);
    await wait(shop, 2 * day);
    expect(await moneyOf(shop, sentBack)).toEqual({ refunded: part, transferred: rest });
  });
});

test("a part that the provider refuses is tried three times, and again when an admin says so", async ({
  shop,
  cards,
  seller,
  admin,
  decided,
}) => {
  await connectBank(cards, seller);
  await cards.injectFaults({
    failNext: { method: "POST", path: "/v1/refunds", status: 400, times: 3 },
    webhook: { hold: true },
  });
  for (const minutes of [1, hour, day, 30 * day]) await wait(shop, minutes);
  const attempts = () =>
    shop.deps.db
      .selectFrom("partial_refunds")
      .select(["state", "refusal"])
      .where("booking_id", "=", decided.booking)
      .orderBy("attempt")
      .execute();
  const refused = { state: "refused", refusal: "other" };
  expect(await attempts()).toEqual([refused, refused, refused]);
  expect(await settlementOf(shop, decided)).toMatchObject({ state: "refunding" });
  expect(await unsentPart(admin, decided.intent)).toBe(100);
  await admin.call(refundBooking, { body: { bookingId: decided.booking } });
  await wait(shop, 1);
  expect(await moneyOf(shop, decided)).toEqual({ refunded: part, transferred: rest });
  expect(await unsentPart(admin, decided.intent)).toBeNull();
});

test("a part whose call never arrived, and of which the bank gave back some, is left to an admin", async ({
  shop,
  cards,
  admin,
  decided,
}) => {
  const lost = { method: "POST", path: "/v1/refunds", status: "hangup", times: 2 };
  await cards.injectFaults({ failNext: lost, webhook: { hold: true } });
  await wait(shop, 1);
  const { findIntent } = shop.deps.cards;
  const one = { id: `du_${decided.booking}`, reason: "fraudulent", amountCents: 4_000 };
  const at = { respondBy: null, openedAt: shop.clock.now() };
  const dispute = { ...one, ...at, state: "lost" as const, movements: [-4_000] };
  // A bank that gives back less than the part.
  const withDispute = async (id: string) => ({ ...(await findIntent(id)), disputes: [dispute] });
  const deps = { ...shop.deps, cards: { ...shop.deps.cards, findIntent: withDispute } };
  for (const minutes of [2, 11]) {
    shop.clock.advance(minutes);
    await settleDeals(deps);
  }
  expect(await unsentPart(admin, decided.intent)).toBe(60);
  expect(await moneyOf(shop, decided)).toEqual({ held: price - 4_000 });
  await admin.call(settleRefund, { body: { bookingId: decided.booking } });
  expect(await moneyOf(shop, decided)).toEqual({ held: rest, refunded: part - 4_000 });
});

test("a part whose first call was taken for lost is not refunded twice", async ({
  shop,
  cards,
  decided,
}) => {
  await cards.injectFaults({
    failNext: { method: "POST", path: "/v1/refunds", status: "hangup", afterWork: true, times: 9 },
    webhook: { hold: true },
  });
  await wait(shop, 2);
  await cards.injectFaults({ webhook: { hold: true } });
  await shop.deps.db
    .updateTable("partial_refunds")
    .set({ state: "refused", refusal: "absent" })
    .where("booking_id", "=", decided.booking)
    .where("state", "=", "intended")
    .execute();
  await wait(shop, 1 * day);
  await wait(shop, 1 * day);
  const { refunds } = await cards.ledger();
  expect(refunds.filter((one) => one.payment_intent === decided.intent)).toHaveLength(1);
  expect(await settlementOf(shop, decided)).toMatchObject({ state: "releasing" });
});

describe("a part that is refunded in the provider's dashboard before the call arrives", () => {
  const refundsOf = async (cards: CardProvider, intent: string) => {
    const { refunds } = await cards.ledger();
    return refunds.filter((one) => one.payment_intent === intent).map(({ amount }) => amount);
  };

  for (const [when, minutes] of [
    ["while the call may be repeated", 1],
    ["once it is absent", 20],
  ] as const)
    test(`is not asked for again ${when}`, async ({ shop, cards, decided }) => {
      await cards.refund(decided.intent, part);
      for (const later of [minutes, 20, day]) await wait(shop, later);
      expect(await refundsOf(cards, decided.intent)).toEqual([part]);
      expect(await settlementOf(shop, decided)).toMatchObject({ state: "releasing" });
      expect(await moneyOf(shop, decided)).toEqual({ held: rest, refunded: part });
    });

  test("is asked for as far as it is still owed", async ({ shop, cards, seller, decided }) => {
    await connectBank(cards, seller);
    await cards.refund(decided.intent, 4_000);
    for (const later of [1, 20, 1]) await wait(shop, later);
    expect((await refundsOf(cards, decided.intent)).toSorted()).toEqual([4_000, 6_000]);
    expect(await moneyOf(shop, decided)).toEqual({ refunded: part, transferred: rest });
  });
});
