import { expect } from "vitest";
import { listPayments, refundBooking, settleRefund } from "#contract/payments.ts";
import type { Deps } from "../../deps.ts";
import type { CardProvider } from "../../testing/cards.ts";
import { sendRefund } from "../../testing/credits.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import type { Person } from "../../testing/people.ts";
import { connectBank, handOver, hour, moneyOf, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";
import { reconcileLedger } from "../ledger-reconciliation/reconcile-ledger.ts";
import { settleIntent } from "./webhook.ts";

const little = 1_000;
const price = 64_000;

/** The booking of a deal is paid twice: first by another intent, which is over too little, so that it goes back. */
const test = dealTest().extend("paidTwice", async ({ shop, cards, deal, pay, holdWebhooks }) => {
  await holdWebhooks();
  const { booking: bookingId, buyer } = deal;
  const order = { bookingId, amountCents: little, currency: "usd", email: buyer.email };
  const { id: other } = await shop.deps.cards.openIntent(order);
  await cards.pay(other);
  await settleIntent(shop.deps, other);
  await pay(deal);
  return { ...deal, other };
});

/** As if its refund had failed three times. */
async function giveUp({ db }: Pick<Deps, "db">, intent: string): Promise<void> {
  await db
    .updateTable("payments")
    .set({ state: "refund_failed" })
    .where("transaction_id", "=", intent)
    .execute();
}

async function unsentOf(admin: Person, intent: string) {
  const [payment] = await admin.call(listPayments, { query: { search: intent } });
  return payment?.unsent;
}

test("what the buyer has back of one payment doesn't count for the other", async ({
  shop,
  admin,
  paidTwice: deal,
}) => {
  await admin.call(refundBooking, { body: { bookingId: deal.booking } });
  await giveUp(shop.deps, deal.other);
  await sendRefund(shop, deal);
  expect(await unsentOf(admin, deal.intent)).toBe(0);
  expect(await unsentOf(admin, deal.other)).toBe(10);
  await admin.call(settleRefund, { body: { bookingId: deal.booking } });
  expect(await moneyOf(shop, deal)).toEqual({ refunded: price + little });
});

test("the seller gets nothing of a payment that could not be refunded", async ({
  shop,
  cards,
  admin,
  seller,
  paidTwice: deal,
}) => {
  await giveUp(shop.deps, deal.other);
  await connectBank(cards, seller);
  await handOver(deal);
  await wait(shop, 72 * hour);
  expect(await moneyOf(shop, deal)).toEqual({ transferred: price, held: little });
  await admin.call(settleRefund, { body: { bookingId: deal.booking } });
  expect(await moneyOf(shop, deal)).toEqual({ transferred: price, refunded: little });
});

test("a refund of one payment that the bank sends back is not made from the other", async ({
  shop,
  cards,
  paidTwice: deal,
}) => {
  await sendRefund(shop, deal);
  expect(await moneyOf(shop, deal)).toEqual({ held: price, refunded: little });
  const [refund] = (await shop.deps.cards.findIntent(deal.other)).refunds;
  await cards.failRefund(refund?.id ?? "");
  await settleIntent(shop.deps, deal.other);
  expect(await partsOf(shop.deps, deal)).toEqual([]);
  shop.clock.advance(hour);
  await sendRefund(shop, deal);
  expect(await moneyOf(shop, deal)).toEqual({ held: price, refunded: little });
});

type Returned = { shop: Shop; cards: CardProvider; admin: Person; deal: Deal & { other: string } };

/** Ways in which the other payment goes back, and what of it a node of the version before has posted. */
const postedBefore: [string, string, (returned: Returned) => Promise<void>][] = [
  ["its charge", "charge", async ({ shop, deal }) => await sendRefund(shop, deal)],
  ["its refund", "refund", async ({ shop, deal }) => await sendRefund(shop, deal)],
  ["refunds of which one failed", "refund", refundTwice],
  [
    "a refund of the dashboard",
    "refund",
    async ({ shop, cards, deal }) => {
      await cards.refund(deal.other, little / 2);
      await settleIntent(shop.deps, deal.other);
      await sendRefund(shop, deal);
      await reconcileLedger(shop.deps);
    },
  ],
  [
    "what was sent in another way",
    "refund_sent",
    async ({ shop, admin, deal }) => {
      await giveUp(shop.deps, deal.other);
      await admin.call(settleRefund, { body: { bookingId: deal.booking } });
    },
  ],
  [
    "its dispute",
    "dispute%",
    async ({ shop, cards, deal }) => {
      await cards.openDispute(deal.other, little);
      await cards.answerDispute(deal.other, "losing_evidence");
      await settleIntent(shop.deps, deal.other);
    },
  ],
];

test.for(postedBefore)(
  "the seller gets all if a version before posted %s",
  async ([, kind, giveBack], { shop, cards, admin, seller, paidTwice: deal }) => {
    await connectBank(cards, seller);
    await handOver(deal);
    await giveBack({ shop, cards, admin, deal });
    await forgetPayment(shop, { kind, intent: deal.other });
    const journals = dealJournals(await postedJournals(shop.deps.db, deal.booking));
    const { charged, paidByCard, held } = journals;
    expect([charged(), paidByCard(), held()]).toEqual([price, price, price]);
    expect(await unsentOf(admin, deal.other)).toBe(0);
    await wait(shop, 72 * hour);
    expect((await moneyOf(shop, deal)).transferred).toBe(price);
  },
);

test("a refund that a version before posted counts only for its payment", async ({
  shop,
  admin,
  paidTwice: deal,
}) => {
  await sendRefund(shop, deal);
  await forgetPayment(shop, { kind: "refund", intent: deal.other });
  await admin.call(refundBooking, { body: { bookingId: deal.booking } });
  await giveUp(shop.deps, deal.intent);
  expect(await unsentOf(admin, deal.intent)).toBe(price / 100);
});

async function refundTwice({ shop, cards, deal }: Returned): Promise<void> {
  await sendRefund(shop, deal);
  const [refund] = (await shop.deps.cards.findIntent(deal.other)).refunds;
  await cards.failRefund(refund?.id ?? "");
  await settleIntent(shop.deps, deal.other);
  shop.clock.advance(hour);
  await sendRefund(shop, deal);
}

/** As if a node of the version before had posted journals of such a kind (a pattern of SQL). */
async function forgetPayment({ pool }: Shop, of: { kind: string; intent: string }) {
  const trigger = "trigger ledger_journals_forbid_update_delete";
  await pool.query(`alter table ledger_journals disable ${trigger}`);
  const { rowCount } = await pool.query(
    "update ledger_journals set payment_reference = null where kind::text like $1 and payment_reference = $2",
    [of.kind, of.intent],
  );
  await pool.query(`alter table ledger_journals enable ${trigger}`);
  expect(rowCount).toBeGreaterThan(0);
}

async function partsOf({ db }: Pick<Deps, "db">, { booking }: Deal) {
  return await db
    .selectFrom("partial_refunds")
    .select("id")
    .where("booking_id", "=", booking)
    .execute();
}

test("a lost dispute about the other payment doesn't cancel the sale", async ({
  shop,
  cards,
  paidTwice: deal,
}) => {
  await cards.openDispute(deal.other, little);
  await cards.answerDispute(deal.other, "losing_evidence");
  await settleIntent(shop.deps, deal.other);
  const { state } = await shop.deps.db
    .selectFrom("bookings")
    .select("state")
    .where("id", "=", deal.booking)
    .executeTakeFirstOrThrow();
  expect(state).toBe("paid");
  expect(await moneyOf(shop, deal)).toEqual({ held: price });
});
