import { refundPayment } from "#server/features/money/send-refund.ts";
import { settleDeals } from "#server/features/money/settle-deals.ts";
import { settleIntent } from "#server/features/money/webhook-events.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { member } from "#server/testing/people.ts";
import { connectBank, handOver } from "#server/testing/settlements.ts";
import { openShop } from "#server/testing/shop.ts";
import { checkInvariants } from "./invariants.ts";
import { giveBack, openDeal, pay, record } from "./provider/deals.ts";

/** Opens a shop with deals in several states, no pending work and no violations. */
export async function openConsistentShop() {
  const shop = await openShop({ sandbox: true });
  const cards = cardsOf(shop);
  await cards.injectFaults({ webhook: { hold: true }, holdRefundOutcomes: true });
  const seller = await member(shop, { accountType: "seller" });
  const available = await insertLaptop(shop, seller);
  const deal = () => openDeal(shop, seller);
  const [held, paid, refunded] = [await deal(), await deal(), await deal()];
  const [disputed, sentBack, sold] = [await deal(), await deal(), await deal()];
  await cards.pay(disputed.intent, "pm_card_createDispute");
  await cards.pay(sentBack.intent, "pm_card_refundFail");
  for (const one of [paid, refunded, sold]) await pay(shop, one);
  for (const one of [paid, refunded, disputed, sentBack, sold]) await record(one);
  await connectBank(cards, seller);
  await handOver(sold);
  const admin = await member(shop, { isAdmin: true });
  for (const one of [refunded, sentBack]) await giveBack(admin, one);
  const due = shop.deps.db.selectFrom("payments").select("id").where("state", "=", "refund_due");
  for (const { id } of await due.execute()) await refundPayment(shop.deps, id);
  await cards.answerRefunds(sentBack.intent);
  await settleIntent(shop.deps, sentBack.intent);
  await shop.deps.db
    .updateTable("settlements")
    .set({ handed_over_at: new Date(0) })
    .where("booking_id", "=", sold.booking)
    .execute();
  await settleDeals(shop.deps);
  const ledger = await cards.ledger();
  const acknowledged = [held, paid, refunded].flatMap((one) => one.acknowledged);

  return {
    shop,
    ledger,
    available,
    held,
    paid,
    refunded,
    disputed,
    sentBack,
    sold,
    /** Returns the violations after `statements`, which are rolled back. */
    async foundAfter(statements: string, changed = ledger): Promise<string[]> {
      const client = await shop.pool.connect();
      try {
        await client.query("begin");
        // The triggers would reject some of the changes.
        for (const table of guardedTables)
          await client.query(`alter table ${table} disable trigger user`);
        await client.query(statements);
        return await checkInvariants(client, changed, acknowledged, shop.clock.now());
      } finally {
        await client.query("rollback");
        client.release();
      }
    },
  };
}

const guardedTables = [
  "products",
  "bookings",
  "payments",
  "disputes",
  "audit_log",
  "ledger_journals",
  "ledger_entries",
  "settlements",
  "money_moves",
  "credit_accounts",
  "invitations",
  "offers",
  "meetings",
  "reviews",
  "review_windows",
];
