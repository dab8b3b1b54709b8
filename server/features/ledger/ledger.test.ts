import { expect } from "vitest";
import { journalKinds, ledgerAccounts } from "#contract/ledger.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { postedJournals, postJournals } from "./post-journal.ts";

const test = dealTest({ webhooks: false })
  /** A paid sale, shared by tests that don't change it. */
  .extend("sale", { scope: "file" }, async ({ shop }) => await deal(shop, "paid"));

test("the ledger records a payment, a partial refund made at the provider, and an admin's refund of the rest", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "paid");
  await shop.cards.refund(sale.intent, 10_000);
  await sale.refund(admin);
  await sale.sendRefund();
  const re = expect.stringMatching(/^re_/);
  expect(await sale.journals()).toEqual([
    ["charge", sale.intent, { stripe_clearing: 64_000, deal_held: -64_000 }],
    ["refund_decided", null, { deal_held: 64_000, buyer_payable: -64_000 }],
    ["refund", re, { stripe_clearing: -10_000, buyer_payable: 10_000 }],
    ["refund", re, { stripe_clearing: -54_000, buyer_payable: 54_000 }],
  ]);
});

test("the database has the same accounts and journal kinds as the contract", async ({ shop }) => {
  const { rows } = await shop.pool.query(
    "select enum_range(null::ledger_account)::text[] as accounts, enum_range(null::journal_kind)::text[] as kinds",
  );
  expect(rows).toEqual([{ accounts: ledgerAccounts, kinds: journalKinds }]);
});

test("the database rejects changing or deleting posted journals, and a repeated journal is posted only once", async ({
  shop,
  sale,
}) => {
  const journals = await postedJournals(shop.deps.db, sale.booking);
  for (const change of [
    "delete from ledger_journals",
    "truncate ledger_journals cascade",
    "update ledger_journals set at = now()",
    "delete from ledger_entries",
    "truncate ledger_entries cascade",
    "update ledger_entries set cents = 1",
  ])
    await expect(shop.pool.query(change)).rejects.toThrow("The ledger is append-only.");
  const subject = { bookingId: sale.booking, currency: "usd", at: shop.clock.now() };
  await postJournals(shop.deps.db, subject, journals);
  expect(await postedJournals(shop.deps.db, sale.booking)).toEqual(journals);
});

type Entries = Record<string, number>;

const refused: [string, string, Entries, string][] = [
  [
    "that does not sum to zero",
    "refund",
    { stripe_clearing: -100, deal_held: 99 },
    "ledger_journal_balances",
  ],
  ["without entries", "refund", {}, "ledger_journal_balances"],
  [
    "that refunds more than the deal holds",
    "refund",
    { stripe_clearing: -64_001, deal_held: 64_001 },
    "ledger_deal_covered",
  ],
  [
    "that pays out more than was captured",
    "transfer",
    { stripe_clearing: -64_001, seller_payable: 64_001 },
    "ledger_deal_covered",
  ],
  [
    "that moves a deal's money to an account outside deals",
    "refund",
    { stripe_clearing: -100, stripe_fees: 100 },
    "ledger_deal_adds_up",
  ],
  [
    "that covers a loss that the shop doesn't have",
    "loss_covered",
    { deal_held: 100, platform_loss: -100 },
    "ledger_deal_covered",
  ],
];

test.for(refused)("a journal %s is rejected", async ([, kind, entries, constraint], { sale }) => {
  const error = await post(sale, kind, entries).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ constraint });
  expect(await sale.journals()).toHaveLength(1);
});

async function post({ shop, booking }: Sale, kind: string, entries: Entries): Promise<void> {
  await shop.pool.query(
    `with journal as (
       insert into ledger_journals (kind, idempotency_key, booking_id, currency, at)
       values ($1::journal_kind, gen_random_uuid()::text, $2, 'usd', now()) returning id)
     insert into ledger_entries (journal_id, account, cents)
     select id, account::ledger_account, cents::bigint
     from journal, jsonb_each_text($3::jsonb) as entry (account, cents)`,
    [kind, booking, JSON.stringify(entries)],
  );
}
