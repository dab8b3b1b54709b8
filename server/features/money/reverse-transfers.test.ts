import { describe, expect } from "vitest";
import { deleteUser } from "#contract/members.ts";
import { readNeedsYou } from "#contract/needs-you.ts";
import { listSales, readPayoutAccount } from "#contract/payouts.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal, disputing } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { errorOf } from "../../testing/people.ts";
import { accountOf, connectBank, day, hour, wait } from "../../testing/settlements.ts";
import { recordReversals, recoverDebt } from "./reverse-transfers.ts";

const test = dealTest({ webhooks: false })
  /** Two sales by the same seller. The first is disputed after the seller's share was sent. */
  .extend("sales", async ({ shop }) => {
    const first = await deal(shop, "held", { bank: true });
    const second = await deal(shop, "paid", { seller: first.seller });
    await first.pay();
    await first.handOver();
    await wait(shop, 72 * hour);
    await first.reportDispute({ state: "open", movements: [-price] });
    return { first, second };
  });

const price = 64_000;
const part = 10_000;

async function reversed({ cards, booking }: Sale): Promise<number> {
  const { transfers } = await cards.ledger();
  return transfers
    .filter(({ transfer_group }) => transfer_group === `booking_${booking}`)
    .reduce((sum, { amount_reversed }) => sum + amount_reversed, 0);
}

async function attemptsOf({ shop, booking }: Sale) {
  return await shop.deps.db
    .selectFrom("money_moves")
    .select(["state", "cents", "refusal"])
    .where("booking_id", "=", booking)
    .where("kind", "=", "reversal")
    .orderBy("attempt")
    .execute();
}

/** Makes the seller owe `part`. Loses the reversal's response, or its request if not `afterWork`. */
async function oweWithLostAnswer(sale: Sale, { afterWork = true } = {}): Promise<void> {
  await sale.refundElsewhere(part);
  const path = "/v1/transfers/:id/reversals";
  await sale.cards.injectFaults({
    failNext: { method: "POST", path, status: "hangup", afterWork, times: 2 },
    ...withoutWebhooks,
  });
}

test("a debt of a seller whose balance was paid out is withheld from their next sale, and no reversal is requested", async ({
  shop,
}) => {
  const sale = await deal(shop, "released");
  await shop.cards.advanceClock(5);
  await sale.refundElsewhere(part);
  await wait(shop, 2 * day);
  expect(await attemptsOf(sale)).toEqual([]);
  expect(await sale.money()).toEqual({ transferred: price, refunded: part, owed: part });
  const next = await deal(shop, "handedOver", { seller: sale.seller });
  await wait(shop, 72 * hour);
  expect(await next.transfers()).toMatchObject([{ state: "made", cents: price - part }]);
  expect(await sale.money()).toEqual({ transferred: price - part, refunded: part });
  expect(await next.money()).toEqual({ transferred: price });
  const sales = await sale.seller.call(listSales, {});
  expect(sales.map(({ sent }) => sent).toSorted()).toEqual([540, 640]);
});

test("a reversal whose response is lost is looked up, not requested again", async ({ shop }) => {
  const sale = await deal(shop, "released");
  await oweWithLostAnswer(sale);
  await wait(shop, 1);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "intended" }]);
  // The provider deletes idempotency keys after a day.
  await shop.cards.advanceClock(2);
  await wait(shop, 25 * hour, 20, 1);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "made" }]);
  expect(await reversed(sale)).toBe(part);
  expect(await sale.money()).toEqual({ transferred: price - part, refunded: part });
});

for (const { taken, cents } of [
  { taken: "the whole transfer", cents: price },
  { taken: "the owed amount", cents: part },
])
  test(`a reversal request that never arrived is closed after an admin takes back ${taken} at the provider`, async ({
    shop,
  }) => {
    const sale = await deal(shop, "released");
    await oweWithLostAnswer(sale, { afterWork: false });
    await wait(shop, 1);
    expect(await attemptsOf(sale)).toMatchObject([{ state: "intended" }]);
    await shop.cards.reverseTransfer(sale.booking, cents);
    await wait(shop, 2, 20, 1, 1 * day);
    expect(await attemptsOf(sale)).toMatchObject([{ state: "refused", refusal: "absent" }]);
    expect(await reversed(sale)).toBe(cents);
    const left = { transferred: price - cents, held: cents - part };
    const notZero = Object.entries(left).filter(([, value]) => value > 0);
    expect(await sale.money()).toEqual({ refunded: part, ...Object.fromEntries(notZero) });
  });

test("a pending reversal of a second transfer stays open even though the first was taken back in full", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "released");
  await sale.takeBack(price);
  await sale.sendLeftover(admin, "seller", 640);
  // Another payment provides the available balance that a transfer of leftover money needs.
  await deal(shop, "charged");
  await shop.cards.advanceClock(3);
  await wait(shop, 1);
  expect(await sale.transfers()).toMatchObject([{ reversed_cents: price }, { state: "made" }]);
  await oweWithLostAnswer(sale, { afterWork: false });
  await recoverDebt(shop.deps, sale.booking);
  await recordReversals(shop.deps, sale.booking);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "intended" }]);
  await wait(shop, 1);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "made" }]);
  expect(await sale.money()).toEqual({ transferred: price - part, refunded: part });
});

test("a debt that two processes find at the same time is collected once", async ({ shop }) => {
  const sale = await deal(shop, "released");
  await oweWithLostAnswer(sale);
  let isFirst = true;
  const late = {
    ...shop.deps.cards,
    /** Reads the first list before the other process's reversal, whose response is lost. */
    findTransfers: async (group: string) => {
      const found = await shop.deps.cards.findTransfers(group);
      if (isFirst) {
        isFirst = false;
        await recoverDebt(shop.deps, sale.booking);
      }
      return found;
    },
  };
  await recoverDebt({ ...shop.deps, cards: late }, sale.booking);
  await wait(shop, 2, 20, 1);
  expect(await reversed(sale)).toBe(part);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "made" }]);
  expect(await sale.money()).toEqual({ transferred: price - part, refunded: part });
});

test("a debt that a pending reversal may pay is not withheld from another sale", async ({
  shop,
}) => {
  const sale = await deal(shop, "released");
  const next = await deal(shop, "handedOver", { seller: sale.seller });
  shop.clock.advance(72 * hour - 1);
  await oweWithLostAnswer(sale);
  await recoverDebt(shop.deps, sale.booking);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "intended" }]);
  await wait(shop, 1);
  expect(await next.money()).toEqual({ transferred: price });
  expect((await next.transfers()).map(({ cents }) => cents)).toEqual([price]);
  await wait(shop, 2);
  expect(await sale.money()).toEqual({ transferred: price - part, refunded: part });
});

test("a reversal that fails because the balance was just paid out is tried again a day later", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "released");
  await shop.cards.advanceClock(5);
  await sale.refundElsewhere(part);
  const asItWas = async () => ({ availableCents: price, pendingCents: 0 });
  const deps = { ...shop.deps, cards: { ...shop.deps.cards, readSellerBalance: asItWas } };
  await recoverDebt(deps, sale.booking);
  const refusal = { state: "refused", refusal: "balance_insufficient", cents: part };
  expect(await attemptsOf(sale)).toEqual([refusal]);
  await recoverDebt(deps, sale.booking);
  expect(await attemptsOf(sale)).toHaveLength(1);
  shop.clock.advance(1 * day);
  await recoverDebt(deps, sale.booking);
  expect(await attemptsOf(sale)).toEqual([refusal, refusal]);
  expect(await reversed(sale)).toBe(0);
  const remove = () => admin.call(deleteUser, { params: { id: sale.seller.id } });
  expect(await errorOf(remove())).toMatchObject({
    code: "IN_USE",
    message: expect.stringMatching(/owes \$100 of a sale/),
  });
  shop.clock.advance(181 * day);
  await remove();
  expect(await sale.money()).toMatchObject({ owed: part });
});

test("a reversal whose idempotency key is in use is requested again, and is made only once", async ({
  shop,
}) => {
  const sale = await deal(shop, "released");
  await sale.refundElsewhere(part);
  const path = "/v1/transfers/:id/reversals";
  // Stripe's library repeats a call that fails with 409, so two failures are needed.
  await shop.cards.injectFaults({
    failNext: { method: "POST", path, status: 409, times: 2 },
    ...withoutWebhooks,
  });
  await wait(shop, 1);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "intended" }]);
  await wait(shop, 2, 2);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "made" }]);
  expect(await reversed(sale)).toBe(part);
});

test("a refused reversal is retried after a day with a new idempotency key, and collects the debt only once", async ({
  shop,
}) => {
  const sale = await deal(shop, "released");
  await sale.refundElsewhere(part);
  const path = "/v1/transfers/:id/reversals";
  await shop.cards.injectFaults({
    failNext: { method: "POST", path, status: 400 },
    ...withoutWebhooks,
  });
  await wait(shop, 1, 60);
  expect(await attemptsOf(sale)).toMatchObject([{ state: "refused", refusal: "other" }]);
  expect(await sale.money()).toMatchObject({ owed: part });
  await wait(shop, 1 * day, 1, 1);
  expect(await attemptsOf(sale)).toMatchObject([
    { state: "refused" },
    { state: "made", cents: part, refusal: null },
  ]);
  expect(await reversed(sale)).toBe(part);
  expect(await sale.money()).toEqual({ transferred: price - part, refunded: part });
});

test("the next sale pays a seller's debt even if their account is closed, and the rest of that sale's money waits for a new account", async ({
  shop,
}) => {
  const sale = await deal(shop, "released");
  await shop.cards.advanceClock(5);
  const closed = await accountOf(shop, sale.seller);
  await shop.cards.closeAccount(closed);
  await sale.refundElsewhere(part);
  const next = await deal(shop, "handedOver", { seller: sale.seller });
  await wait(shop, 72 * hour, 2 * hour);
  expect(await sale.money()).toEqual({ transferred: price - part, refunded: part });
  expect(await next.money()).toMatchObject({ transferred: part });
  expect(await sale.seller.call(readPayoutAccount, {})).toMatchObject({ canReceive: false });
  await connectBank(shop.cards, sale.seller);
  expect(await accountOf(shop, sale.seller)).not.toBe(closed);
  await wait(shop, 1);
  expect(await next.money()).toEqual({ transferred: price });
});

test("a seller's debt ends when the transfer is reversed at the provider", async ({ shop }) => {
  const sale = await deal(shop, "released");
  await sale.refundElsewhere();
  expect(await sale.money()).toMatchObject({ owed: price });
  const [transfer] = await sale.transfers();
  await shop.deps.cards.reverseTransfer({
    transferId: transfer?.provider_id ?? "",
    amountCents: price,
    metadata: {},
    idempotencyKey: `reversal:${sale.booking}:1`,
  });
  for (let again = 0; again < 2; again += 1) await recordReversals(shop.deps, sale.booking);
  expect(await sale.money()).toEqual({ refunded: price });
  expect(await sale.transfers()).toMatchObject([{ state: "made", reversed_cents: price }]);
});

describe("a dispute after the seller was paid", () => {
  test("money disputed after the payout is not withheld from another sale while the bank is deciding", async ({
    shop,
    sales,
  }) => {
    const { first, second } = sales;
    expect(await first.money()).toEqual({ transferred: price, owed: price });
    await second.handOver();
    await wait(shop, 72 * hour);
    expect(await second.transfers()).toMatchObject([{ state: "made", cents: price }]);
    await first.reportDispute({ state: "won", movements: [-price, price] });
    expect(await first.money()).toEqual({ transferred: price });
  });

  test("if a dispute is won after another sale has paid the debt, an admin has to forward the money", async ({
    shop,
    admin,
    sales: { first, second },
  }) => {
    await first.reportDispute({ state: "lost", movements: [-price] });
    await second.handOver();
    await wait(shop, 72 * hour);
    expect(await second.transfers()).toEqual([]);
    expect(await emailsTo(shop, first.seller)).toContainEqual(
      expect.objectContaining({ subject: "Your $640 covered what you owed us" }),
    );
    const items = async () =>
      (await admin.call(readNeedsYou, {})).items.filter(
        ({ bookingId }) => bookingId === first.booking,
      );
    expect(await items()).toEqual([]);
    await first.reportDispute({ state: "won", movements: [-price, price] });
    expect(await first.money()).toEqual({ held: price });
    expect(await items()).toMatchObject([{ reason: "came_back", amount: 640 }]);
  });
});

describe("a deal whose payment the bank returns after the handover", () => {
  test("a dispute lost during the complaint window ends the deal and leaves the sale completed, even if the seller has no account", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", { paidBy: disputing });
    await wait(shop, 10 * day);
    await sale.decideDispute("losing_evidence");
    expect(await sale.order()).toMatchObject({ state: "completed", refund: null });
    await wait(shop, 1);
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
  });

  test("a dispute lost while the money waits for the seller's account ends the deal", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver");
    await wait(shop, 72 * hour);
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    await sale.reportDispute({ state: "lost", movements: [-price] });
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await sale.money()).toEqual({});
  });

  test("a dispute that is lost during a transfer ends the deal after the transfer is refused", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", { bank: true });
    await shop.cards.injectFaults({
      failNext: { method: "POST", path: "/v1/transfers", status: "hangup", times: 2 },
    });
    await wait(shop, 72 * hour);
    await sale.reportDispute({ state: "lost", movements: [-price] });
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    await shop.cards.setCapabilities(await accountOf(shop, sale.seller), {
      stripe_transfers: "rejected",
    });
    await wait(shop, 11);
    expect(await sale.transfers()).toMatchObject([{ state: "refused", refusal: "absent" }]);
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await sale.money()).toEqual({});
  });

  test("after a lost dispute about part of the payment, the seller gets the remaining money", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver", {
      bank: true,
      paidBy: "pm_card_createPartialDispute",
    });
    await wait(shop, 10 * day);
    await sale.decideDispute("losing_evidence");
    await wait(shop, 1);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
    expect(await sale.money()).toEqual({ transferred: 48_000 });
  });
});
