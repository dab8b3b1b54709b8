import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { listJournals, readLedger } from "#contract/ledger.ts";
import { paymentsFor } from "../../testing/deals.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { type Deal, refund } from "../../testing/marketplace.ts";
import type { Shop } from "../../testing/shop.ts";
import { refundPayment } from "../booking-lifecycle/refunds.ts";
import { settleIntent } from "../payments/webhook.ts";
import { reconcileLedger } from "./reconcile-ledger.ts";

const test = dealTest();
const migration = new URL("../../db/migrations/0102-opening-journals.sql", import.meta.url);

/** Makes the ledger that a shop gets which is upgraded now. */
async function postOpeningJournals({ pool }: Shop): Promise<void> {
  await pool.query(`
    drop trigger ledger_journals_balance on ledger_journals;
    drop trigger ledger_journals_forbid_update_delete on ledger_journals;
    drop trigger ledger_journals_forbid_truncate on ledger_journals;
    drop trigger ledger_entries_balance on ledger_entries;
    drop trigger ledger_entries_forbid_update_delete on ledger_entries;
    drop trigger ledger_entries_forbid_truncate on ledger_entries;
    truncate ledger_journals, ledger_entries;
    ${await readFile(migration, "utf8")}`);
}

test("after an upgrade the first comparison posts refunds in parts as they were", async ({
  shop,
  cards,
  admin,
  hold,
  pay,
}) => {
  const deals = [await hold(), await hold(), await hold()] as const;
  const [whole, rest, inTwoParts] = deals;
  for (const deal of deals) await pay(deal);
  await refund(admin, whole.booking);
  await cards.refund(rest.intent, 10_000);
  await settleIntent(shop.deps, rest.intent);
  await refund(admin, rest.booking);
  await cards.refund(inTwoParts.intent, 10_000);
  await cards.refund(inTwoParts.intent, 54_000);
  await settleIntent(shop.deps, inTwoParts.intent);
  for (const deal of deals)
    for (const { id } of await paymentsFor(shop, deal)) await refundPayment(shop.deps, id);

  await postOpeningJournals(shop);

  const movedOf = async ({ intent }: Deal) =>
    (await admin.call(listJournals, { query: { search: intent } }))
      .filter(({ kind }) => kind !== "stripe_fee")
      .flatMap(({ entries }) =>
        entries.flatMap(({ account, amount }) => (account === "stripe_clearing" ? amount : [])),
      )
      .toSorted((a, b) => a - b);
  const opening = [];
  for (const deal of deals) opening.push(await movedOf(deal));
  expect(opening).toEqual([[-640, 640], [640], [640]]);

  await reconcileLedger(shop.deps);

  const { reconciliation } = await admin.call(readLedger, {});
  expect(reconciliation?.differences).toEqual([]);
  expect(reconciliation?.inLedger).toBe(reconciliation?.atProvider);
  const compared = [];
  for (const deal of deals) compared.push(await movedOf(deal));
  expect(compared).toEqual([
    [-640, 640],
    [-540, -100, 640],
    [-540, -100, 640],
  ]);
});
