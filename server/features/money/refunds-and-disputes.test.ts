import { describe, expect } from "vitest";
import { listSales } from "#contract/payouts.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal, disputing } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { endHoldWithoutProvider, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { readDeal } from "../ledger/post-journal.ts";

const price = 64_000;
const part = 10_000;
const rest = 54_000;

const test = dealTest({ webhooks: false });

const handedOver = async (shop: Shop) => await deal(shop, "handedOver", { bank: true });

/** The seller has no account, because these tests end before the payout. */
const withoutBank = async (shop: Shop) => await deal(shop, "handedOver");

const refunded = async (sale: Sale) => await sale.refundElsewhere(part);

async function failed(sale: Sale): Promise<void> {
  await sale.returnRefund();
  await sale.refresh();
}

async function disputed(sale: Sale, cents = rest): Promise<void> {
  await sale.cards.openDispute(sale.intent, cents);
  await sale.refresh();
}

const lost = async (sale: Sale) => await sale.decideDispute("losing_evidence");

const owed = async ({ shop, booking: bookingId }: Sale) =>
  (await readDeal(shop.deps.db, { bookingId })).owed();

describe("a returned refund made at the provider, and a won dispute", () => {
  const reported = async (sale: Sale, cents: number, times = 1) => {
    for (let again = 0; again < times; again += 1)
      await sale.reportDispute({ state: "open", movements: [-cents] });
  };
  const win = async (sale: Sale, cents: number) => {
    for (let again = 0; again < 2; again += 1)
      await sale.reportDispute({ state: "won", movements: [-cents, cents] });
  };

  test("if a refund made at the provider fails during a dispute, the shop still owes it after winning the dispute", async ({
    shop,
  }) => {
    const sale = await handedOver(shop);
    await sale.refundElsewhere(part);
    await reported(sale, rest);
    await sale.returnRefund();
    await reported(sale, rest, 2);
    expect(await owed(sale)).toBe(part);
    await wait(shop, 2 * hour);
    await win(sale, rest);
    expect(await owed(sale)).toBe(part);
    await wait(shop, 1, 72 * hour);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
  });

  for (const times of [1, 2])
    test(`a failed refund that an admin repeated at the provider is not owed after a won dispute (reports of the open dispute: ${times})`, async ({
      shop,
    }) => {
      const sale = await handedOver(shop);
      await refunded(sale);
      await sale.returnRefund();
      await sale.refundElsewhere(part);
      await reported(sale, rest, times);
      await win(sale, rest);
      expect(await owed(sale)).toBe(0);
      await wait(shop, 72 * hour);
      expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
    });

  test("a refund made at the provider that failed before its first report is not owed after a won dispute", async ({
    shop,
  }) => {
    const sale = await handedOver(shop);
    await shop.cards.refund(sale.intent, part);
    await sale.returnRefund();
    await sale.refresh();
    await reported(sale, price, 2);
    await win(sale, price);
    expect(await owed(sale)).toBe(0);
    await wait(shop, 72 * hour);
    expect(await sale.money()).toEqual({ transferred: price });
  });
});

describe("a returned refund made at the provider, and a lost dispute about the rest of the payment", () => {
  for (const [order, steps] of [
    ["fails before the bank decides", [refunded, disputed, failed, lost]],
    ["fails after the bank has decided", [refunded, disputed, lost, failed]],
  ] as const)
    test(`a refund made at the provider that ${order} against the shop stays owed, even if the bank reverses its decision`, async ({
      shop,
    }) => {
      const sale = await handedOver(shop);
      for (const step of steps) await step(sale);
      expect(await owed(sale)).toBe(part);
      await shop.cards.flipDispute(sale.intent);
      await sale.refresh();
      expect(await owed(sale)).toBe(part);
      await wait(shop, hour, 72 * hour);
      expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
    });

  test("a refund made at the provider that failed before a lost dispute is owed again only if the bank reverses its decision", async ({
    shop,
  }) => {
    const sale = await withoutBank(shop);
    for (const step of [refunded, failed, disputed, lost]) await step(sale);
    expect(await owed(sale)).toBe(0);
    const [sold] = await sale.seller.call(listSales, {});
    expect(sold).toMatchObject({ disputed: false, lost: rest / 100, refunded: 0 });
    await shop.cards.flipDispute(sale.intent);
    await sale.refresh();
    expect(await owed(sale)).toBe(part);
  });

  for (const heard of ["one by one", "together"])
    test(`a failed refund is not owed if a won dispute is lost later (decisions reported ${heard})`, async ({
      shop,
    }) => {
      const sale = await withoutBank(shop);
      for (const step of [refunded, disputed, failed]) await step(sale);
      await shop.cards.answerDispute(sale.intent, "winning_evidence");
      if (heard === "one by one") await sale.refresh();
      await sale.flipDispute();
      expect(await owed(sale)).toBe(0);
    });

  test("failed refunds are not owed on top of a lost dispute, even if the dispute is reported only after the decision", async ({
    shop,
  }) => {
    const sale = await withoutBank(shop);
    for (const cents of [part, 2 * part]) await sale.refundElsewhere(cents);
    for (const { id } of (await shop.deps.cards.findIntent(sale.intent)).refunds)
      await shop.cards.failRefund(id);
    await sale.refresh();
    expect(await owed(sale)).toBe(3 * part);
    await shop.cards.openDispute(sale.intent, rest);
    await lost(sale);
    expect(await owed(sale)).toBe(0);
  });

  test("the shop owes nothing for a failed refund made at the provider if the buyer wins a dispute about the whole payment", async ({
    shop,
  }) => {
    const sale = await withoutBank(shop);
    await refunded(sale);
    await disputed(sale, price);
    await failed(sale);
    await lost(sale);
    expect(await owed(sale)).toBe(0);
  });

  test("if the bank reverses a lost dispute, the buyer is owed only the refund granted for their complaint", async ({
    shop,
    admin,
  }) => {
    const sale = await handedOver(shop);
    await sale.complain();
    for (const step of [disputed, lost]) await step(sale);
    await sale.decide(admin, 50);
    await shop.cards.flipDispute(sale.intent);
    await sale.refresh();
    expect(await owed(sale)).toBe(5_000);
    await wait(shop, hour, 72 * hour);
    expect(await sale.money()).toEqual({ refunded: 5_000, transferred: price - 5_000 });
  });
});

describe("a complaint's partial refund that the bank returns, and a refund made at the provider", () => {
  test("if the bank returns a complaint's refund, the buyer is still owed all of it, even after a refund made at the provider", async ({
    shop,
    admin,
  }) => {
    const sale = await handedOver(shop);
    await sale.complain();
    await sale.decide(admin, 100);
    await wait(shop, 1);
    const { refunds } = await shop.deps.cards.findIntent(sale.intent);
    await sale.refundElsewhere(5_000);
    await shop.cards.failRefund(refunds[0]?.id ?? "");
    await sale.refresh();
    expect(await owed(sale)).toBe(part);
  });
});

test("the seller isn't emailed about a dispute over a payment that came too late", async ({
  shop,
}) => {
  const late = await deal(shop, "charged", { paidBy: disputing });
  await endHoldWithoutProvider(shop, late, "expired");
  await deal(shop, "paid", late.laptop);
  await late.refresh();
  await late.decideDispute("losing_evidence");
  expect(await late.order()).toMatchObject({ state: "expired", refund: { dispute: "lost" } });
  const subjects = (await emailsTo(shop, late.seller)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => /disputed|bank/.test(subject))).toEqual([]);
});
