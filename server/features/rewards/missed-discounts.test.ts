import { expect } from "vitest";
import { findBookingToPay } from "#contract/bookings.ts";
import {
  decideInvitation,
  listSuspectInvitations,
  readOwnInvitations,
} from "#contract/invitations.ts";
import { deleteUser } from "#contract/members.ts";
import { deal, Sale } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, openPayment } from "../../testing/marketplace.ts";
import { member, type Person } from "../../testing/people.ts";
import {
  balance,
  creditOf,
  hasDiscount,
  inviteByLink,
  joinInvited,
  release,
} from "../../testing/rewards.ts";
import { hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { recordTrace } from "./member-traces.ts";

/** `friend`: joined in the inviter's browser, so the friend's invitation waits for an admin. */
const test = dealTest()
  .extend("inviter", ({ shop }) => member(shop))
  .extend("friend", async ({ shop, inviter }) => await joinSuspected(shop, inviter));

async function joinSuspected(shop: Shop, inviter: Person): Promise<Person> {
  const at = shop.clock.now();
  const browser = inviter.id.slice(-22);
  const friend = await member(shop);
  const trace = { kind: "browser", value: browser } as const;
  await recordTrace(shop.deps.db, trace, { memberId: inviter.id, at });
  await joinInvited(shop, inviter, friend, { browser });
  return friend;
}

async function inQueue(admin: Person, friend: Person) {
  const queue = await admin.call(listSuspectInvitations, {});
  const found = queue.find((one) => one.friend._id === friend.id);
  if (!found) throw new Error("The invitation is not in the queue.");
  return found;
}

async function approve(admin: Person, friend: Person): Promise<void> {
  const params = { id: (await inQueue(admin, friend))._id };
  await admin.call(decideInvitation, { params, body: { approve: true } });
}

test("a purchase made while the invitation awaits review is rewarded after the approval and the payout", async ({
  shop,
  admin,
  inviter,
  friend,
}) => {
  const sale = await deal(shop, "paid", { buyer: friend });
  expect(await creditOf(shop, inviter)).toBe(0);
  const price = { price: 640, friendCredit: 96, noDiscount: null, inviterCredit: 30 };
  expect(await inQueue(admin, friend)).toMatchObject({ purchase: null, missed: price });
  const { invitations } = shop.deps.config;
  const { limits } = invitations;
  for (const [monthlyBudget, overBudget] of [
    [126, false],
    [125, true],
  ] as const) {
    shop.deps.config.invitations = { ...invitations, limits: { ...limits, monthlyBudget } };
    expect(await inQueue(admin, friend)).toMatchObject({ missed: { ...price, overBudget } });
  }
  shop.deps.config.invitations = invitations;
  await approve(admin, friend);
  expect(await creditOf(shop, inviter)).toBe(0);
  expect(await hasDiscount(friend)).toBe(false);
  expect(await balance(friend)).toBe(0);
  await release(sale);
  for (let again = 0; again < 2; again += 1) {
    expect(await creditOf(shop, inviter)).toBe(30);
    expect(await balance(friend)).toBe(96);
  }
  const { credit } = await friend.call(readOwnInvitations, {});
  expect(credit.changes).toMatchObject([{ kind: "credit_earned", ownDiscount: true, amount: 96 }]);
});

test("a friend gets a missed discount even if the inviter has left", async ({
  shop,
  admin,
  inviter,
  friend,
}) => {
  const sale = await deal(shop, "paid", { buyer: friend });
  await approve(admin, friend);
  await admin.call(deleteUser, { params: { id: inviter.id } });
  await release(sale);
  expect(await creditOf(shop, friend)).toBe(96);
  const credit = shop.deps.db.selectFrom("credit_accounts").select("balance_cents");
  expect(await credit.where("member_id", "=", inviter.id).execute()).toEqual([
    { balance_cents: 0 },
  ]);
});

test("a refunded purchase earns nothing, so the friend's next purchase gets the discount", async ({
  shop,
  admin,
  inviter,
  friend,
}) => {
  const sale = await deal(shop, "paid", { buyer: friend });
  const { seller } = sale;
  await approve(admin, friend);
  expect(await creditOf(shop, inviter)).toBe(0);
  await sale.refund(admin);
  await wait(shop, 100 * hour);
  expect(await creditOf(shop, inviter)).toBe(0);
  expect(await balance(friend)).toBe(0);
  const { booking: id } = await deal(shop, "held", { buyer: friend, seller });
  expect(await friend.call(findBookingToPay, { params: { id } })).toMatchObject({ amountDue: 544 });
});

test("a purchase is rewarded even if its payment page was open when the admin approved the invitation", async ({
  shop,
  admin,
  inviter,
  friend,
}) => {
  const sale = await deal(shop, "held", { buyer: friend });
  expect(await inQueue(admin, friend)).toMatchObject({ missed: null });
  await approve(admin, friend);
  expect(await creditOf(shop, inviter)).toBe(0);
  await sale.pay();
  expect(await creditOf(shop, inviter)).toBe(0);
  await release(sale);
  expect(await creditOf(shop, inviter)).toBe(30);
  expect(await balance(friend)).toBe(96);
});

test("before deciding, the admin sees that a purchase over the discount limits earns nothing", async ({
  shop,
  admin,
  inviter,
  friend,
}) => {
  const { invitations } = shop.deps.config;
  shop.deps.config.invitations = {
    ...invitations,
    limits: { ...invitations.limits, discountsPerSeller: 0 },
  };
  const sale = await deal(shop, "paid", { buyer: friend });
  const missed = { friendCredit: 0, noDiscount: "seller", inviterCredit: 0 };
  expect(await inQueue(admin, friend)).toMatchObject({ missed });
  await approve(admin, friend);
  expect(await creditOf(shop, inviter)).toBe(0);
  shop.deps.config.invitations = invitations;
  await release(sale);
  expect(await creditOf(shop, inviter)).toBe(0);
  expect(await balance(friend)).toBe(0);
});

test("if a friend comes under suspicion between booking and paying, approval still rewards the friend and the inviter", async ({
  shop,
  admin,
  seller,
  inviter,
}) => {
  await deal(shop, "paid", { buyer: inviter, paidBy: "pm_card_mastercard" });
  const friend = await inviteByLink(shop, inviter);
  const product = await insertLaptop(shop, seller);
  const booking = await bookLaptop(friend, product);
  shop.clock.advance(1);
  // This purchase has no discount, because it costs $200 or less.
  await deal(shop, "paid", { buyer: friend, seller, price: 150, paidBy: "pm_card_mastercard" });
  shop.clock.advance(1);
  const intent = await openPayment(friend, booking);
  const sale = new Sale(shop, { seller, buyer: friend, product, booking, intent, price: 640 });
  await sale.pay();
  const missed = { price: 640, friendCredit: 96, noDiscount: null };
  expect(await inQueue(admin, friend)).toMatchObject({ reason: "card", missed });
  await approve(admin, friend);
  expect(await creditOf(shop, inviter)).toBe(0);
  await release(sale);
  expect(await creditOf(shop, inviter)).toBe(30);
  expect(await balance(friend)).toBe(96);
});

test("approving an invitation gives no credit for a purchase that was over a discount limit", async ({
  shop,
  admin,
  inviter,
}) => {
  await deal(shop, "paid", { buyer: inviter, paidBy: "pm_card_mastercard" });
  const friend = await inviteByLink(shop, inviter);
  const { invitations } = shop.deps.config;
  const limits = { ...invitations.limits, discountsPerSeller: 0 };
  shop.deps.config.invitations = { ...invitations, limits };
  const sale = await deal(shop, "held", { buyer: friend });
  shop.deps.config.invitations = invitations;
  shop.clock.advance(1);
  await sale.pay("pm_card_mastercard");
  expect(await inQueue(admin, friend)).toMatchObject({ reason: "card", missed: null });
  await approve(admin, friend);
  expect(await creditOf(shop, inviter)).toBe(0);
  await release(sale);
  expect(await creditOf(shop, inviter)).toBe(0);
  expect(await balance(friend)).toBe(0);
});
