import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { correctDifference, listJournals, readLedger } from "#contract/ledger.ts";
import { readNeedsYou } from "#contract/needs-you.ts";
import { type BalanceTransaction, transferGroupOf } from "../../adapters/cards/port.ts";
import { stripeAt } from "../../testing/cards.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { balanceOf, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { reconcileLedger } from "./reconcile-ledger.ts";

const test = dealTest({ webhooks: false })
  /** Makes a payment, because without any intent the comparison reads nothing from the provider. */
  .extend("sale", { scope: "file" }, async ({ shop }) => await deal(shop, "paid"));

async function differencesNow(shop: Shop, admin: Person) {
  await reconcileLedger(shop.deps);
  return (await admin.call(readLedger, {})).reconciliation?.differences;
}

test("payments, refunds and disputes match the provider to the cent, and the provider's fees are posted", async ({
  shop,
  admin,
}) => {
  const [sale, disputed] = [await deal(shop, "paid"), await deal(shop, "disputed")];
  await sale.refund(admin);
  await sale.sendRefund();
  for (const one of [sale, disputed]) await one.refresh();
  expect(await differencesNow(shop, admin)).toEqual([]);
  const { balances, reconciliation } = await admin.call(readLedger, {});
  expect(reconciliation?.inLedger).toBe(reconciliation?.atProvider);
  // Two payments at 2.9% of $640 plus 30 cents each, and $15 for the dispute.
  expect(balances).toContainEqual({ account: "stripe_fees", balance: 52.72 });
  await reconcileLedger(shop.deps);
  expect((await admin.call(readLedger, {})).balances).toEqual(balances);
  const kinds = async () =>
    (await admin.call(listJournals, { query: { search: sale.intent } })).map(({ kind }) => kind);
  expect((await kinds()).toSorted()).toEqual(["charge", "refund", "refund_decided", "stripe_fee"]);
});

test("the ledger comparison posts admins' top-ups and the provider's reserves", async ({
  shop,
  admin,
  sale: _,
}) => {
  const { cards } = shop.deps;
  const moved = (type: string, amountCents: number): BalanceTransaction => ({
    id: `txn_${type}`,
    type,
    reference: `txn_${type}`,
    intentId: undefined,
    amountCents,
    feeCents: 0,
    currency: "usd",
    createdAt: new Date(),
  });
  const more = [
    ...[moved("topup", 50_000), moved("topup_reversal", -10_000)],
    ...[moved("reserve_transaction", -5_000), moved("reserve_hold", -3_000)],
    moved("reserve_release", 2_000),
  ];
  const listBalanceTransactions: typeof cards.listBalanceTransactions = async (since) => [
    ...(await cards.listBalanceTransactions(since)),
    ...more,
  ];
  await reconcileLedger({ ...shop.deps, cards: { ...cards, listBalanceTransactions } });
  const { balances, reconciliation } = await admin.call(readLedger, {});
  expect(reconciliation?.differences).toEqual([]);
  expect(balances).toContainEqual({ account: "shop_bank", balance: -400 });
  expect(balances).toContainEqual({ account: "stripe_reserve", balance: 60 });
  const kinds = async (search: string) =>
    (await admin.call(listJournals, { query: { search } })).map(({ kind }) => kind);
  expect(await kinds("txn_topup")).toEqual(["topup"]);
  expect(await kinds("txn_reserve_hold")).toEqual(["reserve"]);
});

test("a payment that belongs to no deal is shown as a difference, which an admin can correct once, with a reason", async ({
  shop,
  admin,
}) => {
  const stripe = stripeAt(String(shop.sandbox?.url));
  const { id: reference } = await stripe.paymentIntents.create({ amount: 7_000, currency: "usd" });
  await stripe.paymentIntents.confirm(reference, { payment_method: "pm_card_visa" });
  const unknown = { reference, atProvider: 67.67, inLedger: -2.33 };
  const found = () => differencesNow(shop, admin);
  expect(await found()).toMatchObject([unknown]);
  const { id: refundId } = await stripe.refunds.create({ payment_intent: reference });
  const refund = { reference: refundId, atProvider: -70 };
  expect(await found()).toMatchObject([unknown, refund]);
  const shown = async () => {
    const { items } = await admin.call(readNeedsYou, {});
    return items.some(({ transactionId }) => transactionId === reference);
  };
  expect(await shown()).toBe(true);
  const right = { reference, amount: 70, account: "platform_loss", reason: "A test." } as const;
  const correct = (changes: object) =>
    admin.call(correctDifference, { body: { ...right, ...changes } });
  const refused: [object, string][] = [
    [{ amount: 69.99 }, "STALE"],
    [{ amount: -70 }, "STALE"],
    [{ reference: "pi_unknown" }, "STALE"],
    [{ account: "deal_held" }, "INVALID_INPUT"],
    [{ account: "stripe_clearing" }, "INVALID_INPUT"],
    [{ reason: " " }, "INVALID_INPUT"],
  ];
  for (const [changes, code] of refused)
    expect(await errorOf(correct(changes))).toMatchObject({ code });
  expect(await shown()).toBe(true);
  const losses = await balanceOf(admin, "platform_loss");
  await correct({});
  expect(await shown()).toBe(false);
  expect(await balanceOf(admin, "platform_loss")).toBe(Number(losses) - 70);
  expect(await errorOf(correct({}))).toMatchObject({ code: "STALE" });
  expect(await correctionOf(admin, reference)).toEqual({
    bookingId: null,
    entries: [
      { account: "stripe_clearing", amount: 70 },
      { account: "platform_loss", amount: -70 },
    ],
    by: {
      verb: "correct",
      actor: admin.email,
      detail: { reference, cents: 7_000, account: "platform_loss", reason: "A test." },
    },
  });
  expect(await found()).toMatchObject([refund]);
});

/** Returns the correction's journal, and the newest audit row about a journal. */
async function correctionOf(admin: Person, search: string) {
  const journals = await admin.call(listJournals, { query: { search } });
  const { bookingId, entries } = journals.find(({ kind }) => kind === "correction") ?? {};
  const [row] = await admin.call(listAuditLog, { query: { object: "journal" } });
  return {
    bookingId,
    entries,
    by: { verb: row?.verb, actor: row?.actor?.email, detail: row?.detail },
  };
}

test("a journal with no counterpart at the provider is shown as a difference", async ({
  shop,
  admin,
  sale,
}) => {
  await shop.pool.query(
    `with journal as (
       insert into ledger_journals (kind, idempotency_key, booking_id, currency, at, reference)
       values ('refund', 'refund:re_invented', $1, 'usd', now(), 're_invented') returning id)
     insert into ledger_entries (journal_id, account, cents)
     select id, account, cents from journal,
       (values ('deal_held'::ledger_account, 100), ('stripe_clearing', -100)) as entry (account, cents)`,
    [sale.booking],
  );
  expect(await differencesNow(shop, admin)).toContainEqual({
    reference: "re_invented",
    atProvider: 0,
    inLedger: -1,
    foundAt: shop.clock.now().toISOString(),
  });
});

test("a payment whose refund can't be posted doesn't stop the comparison of other payments", async ({
  shop,
  admin,
}) => {
  const [sound, broken, last] = [
    await deal(shop, "paid"),
    await deal(shop, "paid"),
    await deal(shop, "paid"),
  ];
  await reconcileLedger(shop.deps);
  await shop.pool.query(
    `create trigger broken before insert on ledger_journals for each row
     when (new.booking_id = '${broken.booking}') execute function forbid_change('The ledger is append-only.')`,
  );
  for (const { intent } of [sound, broken, last]) await shop.cards.refund(intent, 10_000);
  await expect(reconcileLedger(shop.deps)).rejects.toThrow("1 not compared");
  const kinds = async ({ intent }: Deal) =>
    (await admin.call(listJournals, { query: { search: intent } })).map(({ kind }) => kind);
  expect(await kinds(sound)).toContain("refund");
  expect(await kinds(last)).toContain("refund");
  expect(await kinds(broken)).not.toContain("refund");
  const { reconciliation } = await admin.call(readLedger, {});
  expect(reconciliation?.differences).toContainEqual(
    expect.objectContaining({ atProvider: -100, inLedger: 0 }),
  );
  await shop.pool.query("drop trigger broken on ledger_journals");
  await reconcileLedger(shop.deps);
  expect(await kinds(broken)).toContain("refund");
});

test("if the provider makes a transfer twice, the excess becomes the seller's debt and is taken back", async ({
  shop,
  admin,
}) => {
  await deal(shop, "paid", { price: 1_500 });
  const sale = await deal(shop, "handedOver", { bank: true });
  await shop.cards.advanceClock(3);
  const failNext = { method: "POST", path: "/v1/transfers", status: "hangup", times: 2 };
  await shop.cards.injectFaults({ failNext, ...withoutWebhooks });
  await wait(shop, 72 * hour, 11, 1);
  const [late, made] = await sale.transfers();
  expect([late, made]).toMatchObject([{ refusal: "absent" }, { state: "made" }]);
  const { id } = await stripeAt(String(shop.sandbox?.url)).transfers.create({
    amount: 64_000,
    currency: "usd",
    destination: String(late?.account_id),
    transfer_group: transferGroupOf(sale.booking),
    metadata: { moveId: String(late?.id) },
  });
  const left = await differencesNow(shop, admin);
  expect(left).not.toContainEqual(expect.objectContaining({ reference: id }));
  expect(await sale.transfers()).toMatchObject([{ provider_id: id }, { state: "made" }]);
  expect(await sale.money()).toEqual({ transferred: 128_000, owed: 64_000 });
  const waiting = async () =>
    (await admin.call(readNeedsYou, {})).items.filter(
      ({ bookingId }) => bookingId === sale.booking,
    );
  expect(await waiting()).toMatchObject([
    { reason: "transferred_twice", transactionId: id, amount: 640 },
  ]);
  await wait(shop, 1);
  expect(await sale.money()).toEqual({ transferred: 64_000 });
  expect(await waiting()).toEqual([]);
});

test("66,000 differences can be stored, although a single SQL statement can't have 66,000 parameters", async ({
  shop,
  sale: _,
}) => {
  await shop.pool.query(`
    insert into balance_transactions (id, type, reference, amount_cents, fee_cents)
    select 'txn_many_' || n, 'adjustment', 'many_' || n, 100, 0 from generate_series(1, 66000) as n`);
  await shop.pool.query(`
    insert into ledger_differences (reference, provider_cents, ledger_cents, found_at)
    select reference, 1, 0, now() from balance_transactions where id like 'txn_many_%'`);
  await reconcileLedger(shop.deps);
  const { rows } = await shop.pool.query(
    "select count(*)::int as stored from ledger_differences where reference like 'many_%' and provider_cents = 100",
  );
  expect(rows).toEqual([{ stored: 66_000 }]);
});
