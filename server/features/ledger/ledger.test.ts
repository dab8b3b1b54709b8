import type pg from "pg";
import { describe, expect } from "vitest";
import { journalKinds, ledgerAccounts } from "#contract/ledger.ts";
import { deal } from "../../testing/deal.ts";
import { endHoldWithoutProvider } from "../../testing/deals.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import type { Shop } from "../../testing/shop.ts";
import { postedJournals, postJournals } from "./post-journal.ts";

const test = dealTest({ worker: true });

const journalsOf = async ({ deps: { db } }: Shop, { booking }: Deal) =>
  (await postedJournals(db, booking)).map(({ kind, reference, entries }) => [
    kind,
    reference,
    entries,
  ]);

describe("the ledger", () => {
  test("the ledger records a payment and a full refund", async ({ shop, admin }) => {
    const sale = await deal(shop, "paid");
    const charge = ["charge", sale.intent, { stripe_clearing: 64_000, deal_held: -64_000 }];
    expect(await journalsOf(shop, sale)).toEqual([charge]);
    await sale.refund(admin);
    const decided = ["refund_decided", null, { deal_held: 64_000, buyer_payable: -64_000 }];
    const refunded = { stripe_clearing: -64_000, buyer_payable: 64_000 };
    await expect
      .poll(() => journalsOf(shop, sale))
      .toEqual([charge, decided, ["refund", expect.stringMatching(/^re_/), refunded]]);
  });

  test("the ledger records a late payment and its refund", async ({ shop }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "charged");
    await endHoldWithoutProvider(shop, sale, "expired");
    await deal(shop, "held", sale.laptop);
    await sale.refresh();
    await expect
      .poll(async () => (await journalsOf(shop, sale)).map(([kind]) => kind))
      .toEqual(["charge", "refund_decided", "refund"]);
  });

  test("the ledger records a partial refund made in the provider's dashboard, and an admin's refund of the rest", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "paid");
    await shop.cards.refund(sale.intent, 10_000);
    await sale.refund(admin);
    const cents = async () =>
      (await postedJournals(shop.deps.db, sale.booking)).flatMap(
        ({ entries }) => entries.stripe_clearing ?? [],
      );
    await expect.poll(async () => (await cents()).toSorted()).toEqual([-10_000, -54_000, 64_000]);
  });

  test("the ledger records a refund that the bank returned, and a refund sent by other means", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "paid", { paidBy: "pm_card_refundFail" });
    await sale.refund(admin);
    const kinds = async () => (await journalsOf(shop, sale)).map(([kind]) => kind);
    await expect.poll(kinds).toEqual(["charge", "refund_decided", "refund", "refund_failed"]);
    await shop.deps.db
      .updateTable("payments")
      .set({ given_up_at: shop.clock.now(), retry_at: null })
      .where("booking_id", "=", sale.booking)
      .execute();
    await sale.sendAnotherWay(admin);
    expect((await journalsOf(shop, sale)).at(-1)).toEqual([
      "refund_sent",
      null,
      { buyer_payable: 64_000, shop_bank: -64_000 },
    ]);
  });

  test("the ledger records a lost dispute over part of the payment, and a refund of the rest by other means", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "disputed", { paidBy: "pm_card_createPartialDispute" });
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "open" });
    const du = expect.stringMatching(/^du_/);
    const withdrawn = { stripe_clearing: -16_000, dispute_reserve: 16_000 };
    await expect
      .poll(async () => (await journalsOf(shop, sale)).slice(1))
      .toEqual([["dispute_withdrawn", du, withdrawn]]);
    await shop.cards.answerDispute(sale.intent, "losing_evidence");
    await expect.poll(() => sale.dispute(admin)).toMatchObject({ state: "lost" });
    await sale.refund(admin);
    await expect.poll(() => sale.order()).toMatchObject({ refund: { state: "refund_failed" } });
    await sale.sendAnotherWay(admin);
    expect((await journalsOf(shop, sale)).slice(2)).toEqual([
      ["dispute_lost", du, { deal_held: 16_000, dispute_reserve: -16_000 }],
      ["refund_decided", null, { deal_held: 48_000, buyer_payable: -48_000 }],
      ["refund_sent", null, { buyer_payable: 48_000, shop_bank: -48_000 }],
    ]);
  });

  test("the ledger records a won dispute", async ({ shop }) => {
    const sale = await deal(shop, "disputed");
    await shop.cards.answerDispute(sale.intent, "winning_evidence");
    const reinstated = { stripe_clearing: 64_000, dispute_reserve: -64_000 };
    await expect
      .poll(async () => (await journalsOf(shop, sale)).at(-1))
      .toEqual(["dispute_reinstated", expect.stringMatching(/^du_/), reinstated]);
  });
});

describe("the ledger tables in the database", () => {
  test("the database has the same accounts and journal kinds as the contract", async ({ shop }) => {
    const { rows } = await shop.pool.query(
      "select enum_range(null::ledger_account)::text[] as accounts, enum_range(null::journal_kind)::text[] as kinds",
    );
    expect(rows).toEqual([{ accounts: ledgerAccounts, kinds: journalKinds }]);
  });

  test("the database rejects changing or deleting posted journals", async ({ shop }) => {
    await deal(shop, "paid");
    for (const table of ["ledger_journals", "ledger_entries"])
      for (const change of [
        `delete from ${table}`,
        `truncate ${table} cascade`,
        table === "ledger_entries"
          ? `update ${table} set cents = 1`
          : `update ${table} set at = now()`,
      ])
        await expect(shop.pool.query(change)).rejects.toThrow("The ledger is append-only.");
  });

  test("the database posts only one journal for each key", async ({ shop }) => {
    const sale = await deal(shop, "paid");
    const journals = await postedJournals(shop.deps.db, sale.booking);
    const subject = { bookingId: sale.booking, currency: "usd", at: shop.clock.now() };
    await postJournals(shop.deps.db, subject, journals);
    expect(await postedJournals(shop.deps.db, sale.booking)).toEqual(journals);
  });

  const refused: [string, string, Record<string, number>, string][] = [
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

  test.for(refused)("a journal %s is rejected", async ([, kind, entries, constraint], { shop }) => {
    const sale = await deal(shop, "paid");
    const error = await post(shop.pool, { deal: sale, kind, entries }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ constraint });
    expect(await journalsOf(shop, sale)).toHaveLength(1);
  });
});

type Post = { deal: Deal; kind: string; entries: Record<string, number> };

async function post(pool: pg.Pool, { deal, kind, entries }: Post): Promise<void> {
  await pool.query(
    `with journal as (
       insert into ledger_journals (kind, idempotency_key, booking_id, currency, at)
       values ($1::journal_kind, gen_random_uuid()::text, $2, 'usd', now()) returning id)
     insert into ledger_entries (journal_id, account, cents)
     select id, account::ledger_account, cents::bigint
     from journal, jsonb_each_text($3::jsonb) as entry (account, cents)`,
    [kind, deal.booking, JSON.stringify(entries)],
  );
}
