import Stripe from "stripe";
import { expect } from "vitest";
import { listJournals, readLedger } from "#contract/ledger.ts";
import { sandboxKeys } from "../../settings/sandbox-credentials.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import type { Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { reconcileLedger } from "./reconcile-ledger.ts";

const test = dealTest({ worker: true });

/** The provider's dashboard. */
function dashboard({ sandbox }: Shop): Stripe {
  const { hostname, port } = new URL(sandbox?.url ?? "");
  return new Stripe(sandboxKeys.secretKey, {
    host: hostname,
    port: Number(port),
    protocol: "http",
  });
}

/** What the comparison finds. */
async function differencesNow(shop: Shop, admin: Person) {
  await reconcileLedger(shop.deps);
  return (await admin.call(readLedger, {})).reconciliation?.differences;
}

test("payments, refunds and disputes agree with the provider to the cent, and its fees are posted", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "paid");
  await sale.refund(admin);
  await deal(shop, "disputed");
  await expect.poll(() => differencesNow(shop, admin)).toEqual([]);
  const { balances, reconciliation } = await admin.call(readLedger, {});
  expect(reconciliation?.inLedger).toBe(reconciliation?.atProvider);
  // Twice 2.9 % of $640 and 30 cents, and $15 for the dispute.
  expect(balances).toContainEqual({ account: "stripe_fees", balance: 52.72 });
  await reconcileLedger(shop.deps);
  expect((await admin.call(readLedger, {})).balances).toEqual(balances);
  const kinds = async () =>
    (await admin.call(listJournals, { query: { search: sale.intent } })).map(({ kind }) => kind);
  expect((await kinds()).toSorted()).toEqual(["charge", "refund", "stripe_fee"]);
});

test("a payment that no webhook reported is posted by the comparison", async ({ shop, admin }) => {
  await shop.cards.injectFaults(withoutWebhooks);
  const sale = await deal(shop, "paid");
  await shop.cards.refund(sale.intent, 10_000);
  expect(await differencesNow(shop, admin)).toEqual([]);
  const journals = await admin.call(listJournals, { query: { search: sale.intent } });
  expect(journals).toContainEqual(expect.objectContaining({ kind: "refund" }));
});

test("money that belongs to no deal is shown until it is gone, and changes nothing", async ({
  shop,
  admin,
}) => {
  await deal(shop, "paid");
  const stripe = dashboard(shop);
  const { id } = await stripe.paymentIntents.create({ amount: 5_000, currency: "usd" });
  await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  const found = () => differencesNow(shop, admin);
  const unknown = { reference: id, atProvider: 48.25, inLedger: -1.75 };
  expect(await found()).toMatchObject([unknown]);
  const { id: refundId } = await stripe.refunds.create({ payment_intent: id });
  expect(await found()).toMatchObject([unknown, { reference: refundId, atProvider: -50 }]);
});

test("a journal that the provider knows nothing of is shown", async ({ shop, admin }) => {
  const sale = await deal(shop, "paid");
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
    ...{ reference: "re_invented", atProvider: 0, inLedger: -1 },
    foundAt: shop.clock.now().toISOString(),
  });
});

test("a payment that can't be read again doesn't stop the comparison of the others", async ({
  shop,
  admin,
}) => {
  const [sound, broken, last] = [
    await deal(shop, "paid"),
    await deal(shop, "paid"),
    await deal(shop, "paid"),
  ];
  await reconcileLedger(shop.deps);
  await shop.cards.injectFaults(withoutWebhooks);
  await shop.pool.query(
    `create trigger broken before insert on ledger_journals for each row
     when (new.booking_id = '${broken.booking}') execute function forbid_ledger_change()`,
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

test("more differences than a statement takes parameters are stored", async ({ shop }) => {
  await deal(shop, "paid");
  await shop.pool.query(`
    insert into balance_transactions (id, reference, amount_cents, fee_cents)
    select 'txn_many_' || n, 'many_' || n, 100, 0 from generate_series(1, 70000) as n`);
  await shop.pool.query(`
    insert into ledger_differences (reference, provider_cents, ledger_cents, found_at)
    select reference, 1, 0, now() from balance_transactions where id like 'txn_many_%'`);
  await reconcileLedger(shop.deps);
  const { rows } = await shop.pool.query(
    "select count(*)::int as stored from ledger_differences where reference like 'many_%' and provider_cents = 100",
  );
  expect(rows).toEqual([{ stored: 70_000 }]);
});
