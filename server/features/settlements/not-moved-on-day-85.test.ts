import { expect } from "vitest";
import { toggleSuspension } from "#contract/members.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import type { Person } from "../../testing/people.ts";
import type { Sale } from "../../testing/sale.ts";
import { day, hour, wait } from "../../testing/settlements.ts";

const price = 64_000;
const part = 10_000;

const test = dealTest({ webhooks: false });

/** An admin takes $100 back from the seller in the provider's dashboard. */
async function takeBack(sale: Sale): Promise<void> {
  await sale.takeBack(part);
  await wait(sale.shop, 1);
}

const leftoverEmails = async ({ shop, booking }: Sale, admin: Person) =>
  (await emailsTo(shop, admin)).filter(({ text }) => text.includes(`/dashboard/deal/${booking}`));

const withoutBalance = test.extend("withoutBalance", async ({ shop }) => {
  const sale = await deal(shop, "handedOver", { bank: true });
  const code = "balance_insufficient";
  const failNext = { method: "POST", path: "/v1/transfers", status: 400, code, times: 99 };
  await shop.cards.injectFaults({ failNext, ...withoutWebhooks });
  return sale;
});

withoutBalance(
  "a seller's money waits for as long as the shop's own balance is too small",
  async ({ shop, withoutBalance: sale }) => {
    await wait(shop, 72 * hour, 4 * day, 80 * day, day, day, 12 * day);
    expect(await sale.money()).toEqual({ held: price });
    await shop.cards.injectFaults(withoutWebhooks);
    await wait(shop, day);
    expect(await sale.money()).toEqual({ transferred: price });
  },
);

withoutBalance(
  "the money of a seller waits for ten days after they were suspended",
  async ({ shop, admin, withoutBalance: sale }) => {
    await wait(shop, 72 * hour, 81 * day);
    await admin.call(toggleSuspension, { body: { id: sale.seller.id, suspended: false } });
    await wait(shop, 2 * day, 7 * day);
    expect(await sale.settlement()).toMatchObject({ state: "releasing" });
    await wait(shop, 2 * day);
    expect(await sale.settlement()).toMatchObject({ state: "refunding" });
  },
);

test("admins have ten days for what came back after the last email, too", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "released");
  await takeBack(sale);
  await wait(shop, 80 * day);
  await takeBack(sale);
  expect(await leftoverEmails(sale, admin)).toHaveLength(2);
  await wait(shop, 9 * day);
  expect(await sale.money()).toEqual({ transferred: price - 2 * part, held: 2 * part });
  await wait(shop, day, 1);
  expect(await sale.money()).toEqual({ transferred: price - 2 * part, refunded: 2 * part });
});

test("money that came back waits for a part that was given up, however long, and is sent after it", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "released");
  const failNext = { method: "POST", path: "/v1/refunds", status: 400, times: 99 };
  await shop.cards.injectFaults({ failNext, ...withoutWebhooks });
  await takeBack(sale);
  await sale.sendLeftover(admin, "buyer", 100);
  await wait(shop, 1, hour, day);
  await takeBack(sale);
  await wait(shop, 86 * day, 1, hour, day, 30 * day);
  expect(await sale.money()).toEqual({ transferred: price - 2 * part, held: 2 * part });
  expect(await leftoverEmails(sale, admin)).toHaveLength(1);
  await shop.cards.injectFaults(withoutWebhooks);
  await sale.sendAnotherWay(admin);
  await wait(shop, 1, 10 * day, 1, 1);
  expect(await leftoverEmails(sale, admin)).toHaveLength(2);
  expect(await sale.money()).toEqual({ transferred: price - 2 * part, refunded: 2 * part });
});
