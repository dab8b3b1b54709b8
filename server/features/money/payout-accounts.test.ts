import { expect } from "vitest";
import { refreshPayoutAccount } from "#contract/payouts.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { accountOf, connectBank, hour, wait } from "../../testing/settlements.ts";

const test = dealTest();

const waiting =
  "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

test("refreshing a payout account locks the waiting bookings before the account, in the same order as a transfer", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver");
  const { seller } = sale;
  await wait(shop, 72 * hour);
  await connectBank(shop.cards, seller, { unfinished: true });
  await shop.cards.setCapabilities(await accountOf(shop, seller), { stripe_transfers: "active" });
  const transfer = await shop.pool.connect();
  try {
    await transfer.query("begin");
    await transfer.query("select from bookings where id = $1 for update", [sale.booking]);
    const refreshed = seller.call(refreshPayoutAccount, {});
    await expect.poll(async () => (await shop.pool.query(waiting)).rows[0].count).toBe(1);
    const account = "select from payout_accounts where member_id = $1 for update nowait";
    await transfer.query(account, [seller.id]);
    await transfer.query("commit");
    await refreshed;
  } finally {
    transfer.release(true);
  }
});
