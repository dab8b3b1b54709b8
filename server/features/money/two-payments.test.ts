import { expect } from "vitest";
import { listSales } from "#contract/payouts.ts";
import { refundBooking } from "#contract/refunds.ts";
import { deal, Sale } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { connectBank, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { DealJournals } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";
import { reconcileLedger } from "./reconcile-ledger.ts";

const little = 1_000;
const price = 64_000;

const test = dealTest({ webhooks: false });

/** Pays a booking twice. The first payment has another intent, is too low and is due for refund. */
async function paidTwice(shop: Shop): Promise<{ sale: Sale; other: Sale }> {
  const sale = await deal(shop, "held");
  const order = { bookingId: sale.booking, amountCents: little, currency: "usd" };
  const { id: intent } = await shop.deps.cards.openIntent({ ...order, email: sale.buyer.email });
  const other = new Sale(shop, { ...sale, intent });
  await sale.cards.pay(intent);
  await other.refresh();
  await sale.pay();
  return { sale, other };
}

/** Gives up on the refund, as the shop does after three failures. */
async function giveUp({ shop, intent }: Sale): Promise<void> {
  await shop.deps.db
    .updateTable("payments")
    .set({ given_up_at: new Date() })
    .where("transaction_id", "=", intent)
    .execute();
}

async function retryRefund(admin: Person, sale: Sale): Promise<void> {
  const body = { bookingId: sale.booking, retry: (await sale.payment(admin))?._id };
  await admin.call(refundBooking, { body });
}

const unsentOf = async (admin: Person, sale: Sale) => (await sale.payment(admin))?.unsent;

test("a refund of one of two payments doesn't count as a refund of the other", async ({
  shop,
  admin,
}) => {
  const { sale, other } = await paidTwice(shop);
  await sale.refund(admin);
  await giveUp(other);
  await sale.sendRefund();
  expect(await unsentOf(admin, sale)).toBe(0);
  expect(await unsentOf(admin, other)).toBe(10);
  await other.sendAnotherWay(admin);
  expect(await sale.money()).toEqual({ refunded: price + little });
  const sales = await sale.seller.call(listSales, {});
  expect(sales).toMatchObject([{ price: price / 100, refunded: price / 100 }]);
});

test("after the shop gives up on refunding two payments, an admin marks only the chosen refund as sent", async ({
  shop,
  admin,
}) => {
  const { sale, other } = await paidTwice(shop);
  await sale.refund(admin);
  for (const one of [other, sale]) await giveUp(one);
  await sale.sendAnotherWay(admin);
  expect(await unsentOf(admin, sale)).toBe(0);
  expect(await unsentOf(admin, other)).toBe(10);
});

test("an admin retries only the chosen refund, and retrying it twice doesn't cancel the sale", async ({
  shop,
  admin,
}) => {
  const [{ sale, other }, stopped] = [await paidTwice(shop), await paidTwice(shop)];
  await giveUp(other);
  await retryRefund(admin, other);
  expect(await errorOf(retryRefund(admin, other))).toMatchObject({ code: "STALE" });
  expect(await sale.order()).toMatchObject({ state: "paid" });
  await stopped.sale.refund(admin);
  for (const one of [stopped.other, stopped.sale]) await giveUp(one);
  await retryRefund(admin, stopped.sale);
  await stopped.sale.sendRefund();
  expect(await unsentOf(admin, stopped.sale)).toBe(0);
  expect(await unsentOf(admin, stopped.other)).toBe(10);
});

test("the seller gets nothing from an extra payment, even after the shop gives up on refunding it", async ({
  shop,
  admin,
}) => {
  const { sale, other } = await paidTwice(shop);
  await giveUp(other);
  await connectBank(shop.cards, sale.seller);
  await sale.handOver();
  await wait(shop, 72 * hour);
  expect(await sale.money()).toEqual({ transferred: price, held: little });
  await other.sendAnotherWay(admin);
  expect(await sale.money()).toEqual({ transferred: price, refunded: little });
});

test("if the bank returns the refund of an extra payment, the shop repeats that refund only once, and a later refund of the sale is owed in full", async ({
  shop,
  admin,
}) => {
  const { sale, other } = await paidTwice(shop);
  await sale.sendRefund();
  expect(await sale.money()).toEqual({ held: price, refunded: little });
  await other.returnRefund();
  await other.refresh();
  shop.clock.advance(hour);
  await sale.sendRefund();
  expect(await sale.money()).toEqual({ held: price, refunded: little });
  await sale.refund(admin);
  await giveUp(sale);
  expect(await unsentOf(admin, sale)).toBe(price / 100);
});

type Returned = { sale: Sale; other: Sale; admin: Person };

/** Ways to return the other payment. Each name completes a test title. */
const ways: [string, (returned: Returned) => Promise<void>][] = [
  ["is refunded after a failed refund", refundTwice],
  [
    "is refunded in part in the provider's dashboard",
    async ({ sale, other }) => {
      await other.refundElsewhere(little / 2);
      await sale.sendRefund();
      await reconcileLedger(sale.shop.deps);
    },
  ],
  [
    "is returned by other means",
    async ({ other, admin }) => {
      await giveUp(other);
      await other.sendAnotherWay(admin);
    },
  ],
  [
    "is lost in a dispute",
    async ({ sale, other }) => {
      await sale.cards.openDispute(other.intent, little);
      await other.decideDispute("losing_evidence");
    },
  ],
];

test.for(ways)(
  "the seller gets the full price if the buyer's extra payment %s",
  async ([, giveBack], { shop, admin }) => {
    const { sale, other } = await paidTwice(shop);
    await connectBank(shop.cards, sale.seller);
    await sale.handOver();
    await giveBack({ sale, other, admin });
    const journals = new DealJournals(await postedJournals(shop.deps.db, sale.booking));
    const counted = [journals.charged(), journals.paidByCard(), journals.held()];
    expect(counted).toEqual([price, price, price]);
    expect(await unsentOf(admin, other)).toBe(0);
    await wait(shop, 72 * hour);
    expect((await sale.money()).transferred).toBe(price);
  },
);

async function refundTwice({ sale, other }: Returned): Promise<void> {
  await sale.sendRefund();
  await other.returnRefund();
  await other.refresh();
  sale.shop.clock.advance(hour);
  await sale.sendRefund();
}

test("a lost dispute about an extra payment doesn't cancel the sale", async ({ shop }) => {
  const { sale, other } = await paidTwice(shop);
  await sale.cards.openDispute(other.intent, little);
  await other.decideDispute("losing_evidence");
  const { state } = await shop.deps.db
    .selectFrom("bookings")
    .select("state")
    .where("id", "=", sale.booking)
    .executeTakeFirstOrThrow();
  expect(state).toBe("paid");
  expect(await sale.money()).toEqual({ held: price });
});

test("a dispute about the sale doesn't stop an admin from retrying or settling an extra payment's refund", async ({
  shop,
  admin,
}) => {
  const { sale, other } = await paidTwice(shop);
  await sale.cards.openDispute(sale.intent, price);
  await sale.refresh();
  await giveUp(other);
  await retryRefund(admin, other);
  await giveUp(other);
  await other.sendAnotherWay(admin);
  expect(await unsentOf(admin, other)).toBe(0);
  expect(await sale.dispute(admin)).toMatchObject({ state: "open" });
});

test("after a lost dispute about the sale, an admin can still retry the refund of an extra payment", async ({
  shop,
  admin,
}) => {
  const { sale, other } = await paidTwice(shop);
  await sale.cards.openDispute(sale.intent, price);
  await sale.decideDispute("losing_evidence");
  await giveUp(other);
  await retryRefund(admin, other);
  await other.sendRefund();
  expect(await unsentOf(admin, other)).toBe(0);
});

test("an extra payment's refund can't be retried while it is disputed", async ({ shop, admin }) => {
  const { sale, other } = await paidTwice(shop);
  await giveUp(other);
  await sale.cards.openDispute(other.intent, little);
  await other.refresh();
  expect(await errorOf(retryRefund(admin, other))).toMatchObject({ code: "STALE" });
});

test("winning a dispute about the sale doesn't retry an extra payment's refund", async ({
  shop,
  admin,
}) => {
  const { sale, other } = await paidTwice(shop);
  await sale.cards.openDispute(sale.intent, price);
  await sale.refresh();
  await giveUp(other);
  await sale.decideDispute("winning_evidence");
  expect(await other.payment(admin)).toMatchObject({ state: "refund_failed" });
});

test("an admin can cancel a sale after an extra payment's refund failed", async ({
  shop,
  admin,
}) => {
  const { sale, other } = await paidTwice(shop);
  await giveUp(other);
  await sale.refund(admin);
  expect(await sale.order()).toMatchObject({ state: "refunded" });
  expect(await other.payment(admin)).toMatchObject({ state: "refund_failed" });
});

test("the refund of an extra payment doesn't tell the buyer that the purchase was canceled", async ({
  shop,
}) => {
  const { sale } = await paidTwice(shop);
  await sale.handOver();
  await sale.sendRefund();
  const told = (await emailsTo(shop, sale.buyer)).filter(
    ({ subject }) => subject === "Your refund of $10 is on its way",
  );
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain("an extra payment of $10");
  expect(told[0]?.text).not.toContain("canceled");
});
