import { expect } from "vitest";
import { findBookingToPay } from "#contract/bookings.ts";
import { decideInvitation, listSuspectInvitations } from "#contract/invitations.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, cancelHold } from "../../testing/marketplace.ts";
import { member, type Person } from "../../testing/people.ts";
import {
  balance,
  creditOf,
  forgetCards,
  give,
  hasDiscount,
  inviteByLink,
  release,
} from "../../testing/rewards.ts";
import { day } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { mailNeedsYou } from "../needs-you/mail-needs-you.ts";

const test = dealTest().extend("inviter", ({ shop }) => member(shop));

/** Sets the budget in dollars. Earlier rewards become too old to count; cards are forgotten. */
async function setBudget(shop: Shop, monthlyBudget: number): Promise<void> {
  shop.clock.advance(31 * day);
  await forgetCards(shop);
  const { invitations } = shop.deps.config;
  const limits = { ...invitations.limits, monthlyBudget };
  shop.deps.config.invitations = { ...invitations, limits };
}

const amountDue = async (friend: Person, id: string) =>
  await friend.call(findBookingToPay, { params: { id } });

const waitingOf = async (admin: Person, inviter: Person) =>
  (await admin.call(listSuspectInvitations, {})).filter((one) => one.inviter._id === inviter.id);

async function decide(admin: Person, inviter: Person, approve: boolean): Promise<void> {
  const [found] = await waitingOf(admin, inviter);
  const params = { id: found?._id ?? "" };
  await admin.call(decideInvitation, { params, body: { approve } });
}

/** Pays out a friend's purchase whose reward exceeds the budget. */
async function exceedBudget(shop: Shop, inviter: Person): Promise<void> {
  await setBudget(shop, 100);
  const sale = await deal(shop, "paid", { buyer: await inviteByLink(shop, inviter) });
  await release(sale);
}

test("a reward over the shop's budget waits until an admin approves or refuses it", async ({
  shop,
  admin,
  inviter,
}) => {
  const finance = await member(shop, { staffRole: "finance" });
  const told = async () => {
    const before = (await emailsTo(shop, admin)).length;
    await mailNeedsYou(shop.deps);
    return (await emailsTo(shop, admin)).slice(before).map(({ text }) => text);
  };
  const waiting = expect.stringContaining("An invitation needs your decision.");
  for (const isApproved of [true, false]) {
    const before = await balance(inviter);
    await exceedBudget(shop, inviter);
    expect(await told()).not.toContainEqual(waiting);
    expect(await creditOf(shop, inviter)).toBe(before);
    expect(await waitingOf(admin, inviter)).toMatchObject([
      { reason: "budget", reward: 30, purchase: null, missed: null },
    ]);
    expect(await told()).toEqual([waiting]);
    await decide(admin, inviter, isApproved);
    for (let again = 0; again < 2; again += 1) expect(await creditOf(shop, inviter)).toBe(30);
    expect(await waitingOf(admin, inviter)).toEqual([]);
    expect(await told()).not.toContainEqual(waiting);
  }
  const financeTexts = (await emailsTo(shop, finance)).map(({ text }) => text);
  expect(financeTexts).not.toContainEqual(waiting);
});

test("a friend gets no discount beyond the shop's budget, and sees why before paying", async ({
  shop,
  seller,
  inviter,
}) => {
  await setBudget(shop, 100);
  const friend = await inviteByLink(shop, inviter);
  const second = await inviteByLink(shop, await member(shop));
  const first = await deal(shop, "held", { buyer: friend, seller });
  expect(await amountDue(friend, first.booking)).toMatchObject({ discount: 96 });
  const booking = await bookLaptop(second, await insertLaptop(shop, seller));
  expect(await amountDue(second, booking)).toMatchObject({ discount: 0, noDiscount: "budget" });
  await give(shop, inviter, 4);
  expect(await hasDiscount(second)).toBe(false);
  await cancelHold(friend, first.booking);
  expect(await hasDiscount(second)).toBe(true);
  expect(await amountDue(second, booking)).toMatchObject({ discount: 96, noDiscount: null });
});

test("two concurrent discounts can't together exceed the budget", async ({ shop }) => {
  await setBudget(shop, 150);
  const friends = [];
  for (let count = 0; count < 2; count += 1)
    friends.push(await inviteByLink(shop, await member(shop)));
  const deals = await Promise.all(
    friends.map(async (friend) => await deal(shop, "held", { buyer: friend })),
  );
  const due = await Promise.all(deals.map(({ buyer, booking }) => amountDue(buyer, booking)));
  expect(due.map(({ discount }) => discount).sort()).toEqual([0, 96]);
});

test("a reward awaiting approval is given only once, even if the friend then pays with another member's card", async ({
  shop,
  admin,
  inviter,
}) => {
  await setBudget(shop, 100);
  await deal(shop, "paid", { buyer: inviter, paidBy: "pm_card_mastercard" });
  const friend = await inviteByLink(shop, inviter);
  const sale = await deal(shop, "held", { buyer: friend });
  await forgetCards(shop);
  await sale.pay("pm_card_amex");
  await release(sale);
  expect(await creditOf(shop, inviter)).toBe(0);
  await deal(shop, "paid", { buyer: inviter, paidBy: "pm_card_mastercard" });
  await deal(shop, "paid", { buyer: friend, paidBy: "pm_card_mastercard" });
  expect(await waitingOf(admin, inviter)).toMatchObject([{ reason: "card" }]);
  await decide(admin, inviter, true);
  expect(await creditOf(shop, inviter)).toBe(0);
  expect(await waitingOf(admin, inviter)).toMatchObject([{ reason: "budget", reward: 30 }]);
  await decide(admin, inviter, true);
  expect(await creditOf(shop, inviter)).toBe(30);
  await deal(shop, "paid", { buyer: friend, paidBy: "pm_card_mastercard" });
  expect(await waitingOf(admin, inviter)).toEqual([]);
  expect(await creditOf(shop, inviter)).toBe(30);
});

test("a discount refunded after more than 30 days doesn't add to the budget", async ({
  shop,
  admin,
  seller,
  inviter,
}) => {
  await setBudget(shop, 100);
  const sale = await deal(shop, "paid", { buyer: await inviteByLink(shop, inviter), seller });
  shop.clock.advance(31 * day);
  await sale.refund(admin);
  const given = [];
  for (let count = 0; count < 2; count += 1) {
    const friend = await inviteByLink(shop, await member(shop));
    const { booking } = await deal(shop, "held", { buyer: friend, seller });
    given.push((await amountDue(friend, booking)).discount);
  }
  expect(given).toEqual([96, 0]);
});
