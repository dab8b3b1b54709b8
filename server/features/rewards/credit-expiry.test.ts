import { expect } from "vitest";
import { readOwnInvitations } from "#contract/invitations.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { balance, give } from "../../testing/credits.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { cancelHold } from "../../testing/marketplace.ts";
import { member } from "../../testing/people.ts";
import { day } from "../../testing/settlements.ts";
import { expireCredits } from "./credits.ts";

const test = dealTest();

test("credit that isn't spent in time expires, oldest credit first", async ({ shop, buyer }) => {
  await give(shop, buyer, 10, "old");
  shop.clock.advance(200 * day);
  await give(shop, buyer, 20, "new");
  const sale = await deal(shop, "held", { buyer });
  await cancelHold(buyer, sale.booking);
  shop.clock.advance(166 * day);
  await expireCredits(shop.deps);
  await expireCredits(shop.deps);
  expect(await balance(buyer)).toBe(20);
  shop.clock.advance(200 * day);
  await expireCredits(shop.deps);
  expect(await balance(buyer)).toBe(0);
  const { credit } = await buyer.call(readOwnInvitations, {});
  expect(credit.next).toBe(null);
  expect(credit.changes.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["credit_expired", -20],
    ["credit_expired", -10],
    ["credit_returned", 30],
    ["credit_spent", -30],
    ["credit_earned", 20],
    ["credit_earned", 10],
  ]);
});

test("credit returned by a refund can be spent for at least 30 days, as the email promises", async ({
  shop,
  admin,
  buyer,
}) => {
  await give(shop, buyer, 30);
  shop.clock.advance(360 * day);
  const sale = await deal(shop, "paid", { buyer });
  await give(shop, buyer, 10, "later");
  shop.clock.advance(13 * day);
  await sale.refund(admin);
  await sale.sendRefund();
  const until = new Date(shop.clock.now().getTime() + 30 * day * 60_000);
  const named = until.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  expect((await emailsTo(shop, buyer)).at(-1)?.text).toContain(
    `The $30 of credit that you used is yours to spend again, until ${named} at least.`,
  );
  const { credit } = await buyer.call(readOwnInvitations, {});
  expect(credit.next).toEqual({ amount: 30, expiresAt: until.toISOString() });
  shop.clock.advance(29 * day);
  await expireCredits(shop.deps);
  expect(await balance(buyer)).toBe(40);
  shop.clock.advance(2 * day);
  await expireCredits(shop.deps);
  expect(await balance(buyer)).toBe(10);
});

test("a failure for one member doesn't stop other members' credit from expiring", async ({
  shop,
}) => {
  const members = [await member(shop), await member(shop)];
  // The job processes members in id order, so the failing member comes first.
  members.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const one of members) await give(shop, one, 10);
  shop.clock.advance(366 * day);
  await shop.pool.query(
    `create trigger failing before insert on ledger_journals for each row
     when (new.member_id = '${members[0]?.id}') execute function forbid_ledger_change()`,
  );
  await expect(expireCredits(shop.deps)).rejects.toThrow("append-only");
  const balances = () => Promise.all(members.map(balance));
  expect(await balances()).toEqual([10, 0]);
  await shop.pool.query("drop trigger failing on ledger_journals");
  await expireCredits(shop.deps);
  expect(await balances()).toEqual([0, 0]);
});
