import { expect } from "vitest";
import { deleteUser } from "#contract/members.ts";
import { readPayoutAccount } from "#contract/payouts.ts";
import type { CardProvider } from "../../testing/cards.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import {
  accountOf,
  connectBank,
  day,
  handOver,
  hour,
  moneyOf,
  transfersOf,
  wait,
} from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { settleIntent } from "../payments/webhook.ts";
import { recoverDebt } from "./reverse-transfers.ts";

/** A sale that was paid out. */
const test = dealTest().extend("sold", async ({ shop, cards, seller, deal, pay, holdWebhooks }) => {
  await holdWebhooks();
  await connectBank(cards, seller);
  await pay(deal);
  await handOver(deal);
  await wait(shop, 72 * hour);
  return deal;
});
const price = 64_000;
const part = 10_000;

/** Cents taken back at the provider. */
async function reversed(cards: CardProvider, { booking }: Deal): Promise<number> {
  const { transfers } = await cards.ledger();
  return transfers
    .filter(({ transfer_group }) => transfer_group === `booking_${booking}`)
    .reduce((sum, { amount_reversed }) => sum + amount_reversed, 0);
}

async function attemptsOf({ deps }: Shop, { booking }: Deal) {
  return await deps.db
    .selectFrom("transfer_reversals")
    .select(["state", "cents", "refusal"])
    .where("booking_id", "=", booking)
    .orderBy("attempt")
    .execute();
}

/** The seller owes a part, and the answer to its reversal will be lost, or its request. */
async function oweWithLostAnswer(
  { deps }: Shop,
  cards: CardProvider,
  sold: Deal,
  { afterWork = true } = {},
): Promise<void> {
  await cards.refund(sold.intent, part);
  await settleIntent(deps, sold.intent);
  const path = "/v1/transfers/:id/reversals";
  await cards.injectFaults({
    failNext: { method: "POST", path, status: "hangup", afterWork, times: 2 },
    webhook: { hold: true },
  });
}

test("what the seller owes is taken back from their balance, once", async ({
  shop,
  cards,
  sold,
}) => {
  await cards.refund(sold.intent, part);
  await settleIntent(shop.deps, sold.intent);
  expect(await moneyOf(shop, sold)).toMatchObject({ owed: part });
  for (let again = 0; again < 3; again += 1) await wait(shop, 1);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - part, refunded: part });
  expect(await reversed(cards, sold)).toBe(part);
  expect(await attemptsOf(shop, sold)).toEqual([{ state: "made", cents: part, refusal: null }]);
});

test("a balance that was paid out is not asked for; the next sale pays", async ({
  shop,
  cards,
  sold,
  hold,
  pay,
}) => {
  await cards.advanceClock(5);
  await cards.refund(sold.intent);
  await settleIntent(shop.deps, sold.intent);
  await wait(shop, 2 * day);
  expect(await attemptsOf(shop, sold)).toEqual([]);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price, refunded: price, owed: price });
  const next = await hold();
  await pay(next);
  await handOver(next);
  await wait(shop, 72 * hour);
  expect(await moneyOf(shop, sold)).toEqual({ refunded: price });
  expect(await moneyOf(shop, next)).toEqual({ transferred: price });
});

test("a reversal whose answer is lost is found, and not asked for again", async ({
  shop,
  cards,
  sold,
}) => {
  await oweWithLostAnswer(shop, cards, sold);
  await wait(shop, 1);
  expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "intended" }]);
  // The provider has forgotten the key.
  await cards.advanceClock(2);
  for (const minutes of [25 * hour, 20, 1]) await wait(shop, minutes);
  expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "made" }]);
  expect(await reversed(cards, sold)).toBe(part);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - part, refunded: part });
});

for (const { taken, cents } of [
  { taken: "the whole transfer", cents: price },
  { taken: "what is owed", cents: part },
])
  test(`an attempt that never arrived is not repeated, and closed, once ${taken} was taken back in the provider's dashboard`, async ({
    shop,
    cards,
    sold,
  }) => {
    await oweWithLostAnswer(shop, cards, sold, { afterWork: false });
    await wait(shop, 1);
    expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "intended" }]);
    await cards.reverseTransfer(sold.booking, cents);
    for (const minutes of [2, 20, 1, 1 * day]) await wait(shop, minutes);
    expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "refused", refusal: "absent" }]);
    expect(await reversed(cards, sold)).toBe(cents);
    const left = { transferred: price - cents, held: cents - part };
    const notZero = Object.entries(left).filter(([, value]) => value > 0);
    expect(await moneyOf(shop, sold)).toEqual({ refunded: part, ...Object.fromEntries(notZero) });
  });

test("a debt that two processes find at the same time is taken back once", async ({
  shop,
  cards,
  sold,
}) => {
  await oweWithLostAnswer(shop, cards, sold);
  let isFirst = true;
  const late = {
    ...shop.deps.cards,
    /** The first answer is from before the other process has asked for the reversal, whose answer is lost. */
    findTransfers: async (group: string) => {
      const found = await shop.deps.cards.findTransfers(group);
      if (isFirst) {
        isFirst = false;
        await recoverDebt(shop.deps, sold.booking);
      }
      return found;
    },
  };
  await recoverDebt({ ...shop.deps, cards: late }, sold.booking);
  for (const minutes of [2, 20, 1]) await wait(shop, minutes);
  expect(await reversed(cards, sold)).toBe(part);
  expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "made" }]);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - part, refunded: part });
});

test("a debt that a reversal may just be paying is not kept from another sale", async ({
  shop,
  cards,
  sold,
  hold,
  pay,
}) => {
  const next = await hold();
  await pay(next);
  await handOver(next);
  shop.clock.advance(72 * hour - 1);
  await oweWithLostAnswer(shop, cards, sold);
  await recoverDebt(shop.deps, sold.booking);
  expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "intended" }]);
  await wait(shop, 1);
  expect(await moneyOf(shop, next)).toEqual({ transferred: price });
  expect((await transfersOf(shop, next)).map(({ cents }) => cents)).toEqual([price]);
  await wait(shop, 2);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - part, refunded: part });
});

test("a balance that is paid out between its reading and the reversal refuses it, and is looked at again a day later", async ({
  shop,
  cards,
  sold,
}) => {
  await cards.advanceClock(5);
  await cards.refund(sold.intent, part);
  await settleIntent(shop.deps, sold.intent);
  const asItWas = async () => ({ availableCents: price, pendingCents: 0 });
  const deps = { ...shop.deps, cards: { ...shop.deps.cards, readSellerBalance: asItWas } };
  await recoverDebt(deps, sold.booking);
  const refusal = { state: "refused", refusal: "balance_insufficient", cents: part };
  expect(await attemptsOf(shop, sold)).toEqual([refusal]);
  await recoverDebt(deps, sold.booking);
  expect(await attemptsOf(shop, sold)).toHaveLength(1);
  shop.clock.advance(1 * day);
  await recoverDebt(deps, sold.booking);
  expect(await attemptsOf(shop, sold)).toEqual([refusal, refusal]);
  expect(await reversed(cards, sold)).toBe(0);
  expect(await moneyOf(shop, sold)).toMatchObject({ owed: part });
});

test("a reversal whose key is in use is looked up, and made once", async ({
  shop,
  cards,
  sold,
}) => {
  await cards.refund(sold.intent, part);
  await settleIntent(shop.deps, sold.intent);
  const path = "/v1/transfers/:id/reversals";
  // Stripe's library repeats such a call.
  await cards.injectFaults({
    failNext: { method: "POST", path, status: 409, times: 2 },
    webhook: { hold: true },
  });
  await wait(shop, 1);
  expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "intended" }]);
  for (let again = 0; again < 2; again += 1) await wait(shop, 2);
  expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "made" }]);
  expect(await reversed(cards, sold)).toBe(part);
});

test("a refused reversal waits for a day, and has another key then", async ({
  shop,
  cards,
  sold,
}) => {
  await cards.refund(sold.intent, part);
  await settleIntent(shop.deps, sold.intent);
  const path = "/v1/transfers/:id/reversals";
  await cards.injectFaults({
    failNext: { method: "POST", path, status: 400 },
    webhook: { hold: true },
  });
  for (const minutes of [1, 60]) await wait(shop, minutes);
  expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "refused", refusal: "other" }]);
  expect(await moneyOf(shop, sold)).toMatchObject({ owed: part });
  await wait(shop, 1 * day);
  expect(await attemptsOf(shop, sold)).toMatchObject([{ state: "refused" }, { state: "made" }]);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - part, refunded: part });
});

test("a seller who owes and has closed their account holds nothing up, and pays by the next sale", async ({
  shop,
  cards,
  seller,
  sold,
  hold,
  pay,
}) => {
  await cards.advanceClock(5);
  const closed = await accountOf(shop, seller);
  await cards.closeAccount(closed);
  await cards.refund(sold.intent, part);
  await settleIntent(shop.deps, sold.intent);
  const next = await hold();
  await pay(next);
  await handOver(next);
  await wait(shop, 72 * hour);
  await wait(shop, 2 * hour);
  expect(await moneyOf(shop, sold)).toEqual({ transferred: price - part, refunded: part });
  expect(await moneyOf(shop, next)).toMatchObject({ transferred: part });
  expect(await seller.call(readPayoutAccount, {})).toMatchObject({ canReceive: false });
  await connectBank(cards, seller);
  expect(await accountOf(shop, seller)).not.toBe(closed);
  await wait(shop, 1);
  expect(await moneyOf(shop, next)).toEqual({ transferred: price });
});

test("a seller who owes can't be deleted, and says why; after half a year they can", async ({
  shop,
  cards,
  seller,
  admin,
  sold,
}) => {
  await cards.advanceClock(5);
  await cards.refund(sold.intent, part);
  await settleIntent(shop.deps, sold.intent);
  const remove = (who: Person) => who.call(deleteUser, { params: { id: seller.id } });
  expect(await errorOf(remove(admin))).toMatchObject({
    code: "IN_USE",
    message: expect.stringMatching(/owes \$100 of a sale/),
  });
  shop.clock.advance(181 * day);
  await remove(admin);
  expect(await moneyOf(shop, sold)).toMatchObject({ owed: part });
});
