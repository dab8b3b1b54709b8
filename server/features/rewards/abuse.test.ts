import { describe, expect } from "vitest";
import { findBookingToPay } from "#contract/bookings.ts";
import { acceptInvitation, inviteFriend, readOwnInvitations } from "#contract/invitations.ts";
import { toggleSuspension } from "#contract/members.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, cancelHold } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import {
  browserOf,
  creditOf,
  expectRefused,
  forgetCards,
  hasDiscount,
  invitationsOf,
  inviteByLink,
  joinInvited,
  release,
} from "../../testing/rewards.ts";
import { hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { endInvitationsOf } from "./invitation-codes.ts";
import { earnCredit } from "./reward-invitations.ts";

const test = dealTest().extend("inviter", ({ shop }) => member(shop));

async function setEmail(shop: Shop, { id }: Person, email: string) {
  await shop.deps.db.updateTable("members").set({ email }).where("id", "=", id).execute();
}

async function codeOf(someone: Person) {
  return (await someone.call(readOwnInvitations, {})).code;
}

describe("invitations without a reward", () => {
  test("accepting an invitation fails with one's own link, after more than 30 days of membership, or after buying a laptop", async ({
    shop,
    inviter,
  }) => {
    const body = { code: await codeOf(inviter) };
    const accept = async (someone: Person) =>
      (await errorOf(someone.call(acceptInvitation, { body }))).code;
    expect(await accept(inviter)).toBe("NOT_FOUND");
    const { buyer } = await deal(shop, "paid", { paidBy: "pm_card_visa" });
    expect(await accept(buyer)).toBe("STALE");
    const old = await member(shop);
    shop.clock.advance(31 * 24 * hour);
    expect(await accept(old)).toBe("STALE");
  });

  test("a friend who joined by one member's link can't join by another member's link later", async ({
    shop,
    inviter,
  }) => {
    const friend = await inviteByLink(shop, inviter);
    const other = await member(shop);
    await inviteByLink(shop, other, friend);
    expect(await invitationsOf(other)).toEqual([]);
  });

  test("inviting your own second account, whose address differs only in its spelling, earns nothing", async ({
    shop,
  }) => {
    for (const [own, second] of [
      ["mia1@example.com", "mia1+two@example.com"],
      ["mia2@gmail.com", "m.i.a.2@gmail.com"],
      ["mia3@gmail.com", "mia3@googlemail.com"],
      ["mia4@gmail.com", "mia.4+x@googlemail.com"],
    ] as const) {
      const [inviter, friend] = [await member(shop), await member(shop)];
      await setEmail(shop, inviter, own);
      await setEmail(shop, friend, second);
      await joinInvited(shop, inviter, friend, { email: second });
      expect([second, await hasDiscount(friend)]).toEqual([second, false]);
      await expectRefused(shop, inviter);
    }
  });

  test("a member's address in different letter case gets no invitation email", async ({
    shop,
    inviter,
  }) => {
    const { email } = await member(shop);
    await inviter.call(inviteFriend, { body: { email: email.toUpperCase() } });
    const sent = (await queuedEmails(shop)).filter(({ to }) => to.toLowerCase() === email);
    expect(sent).toEqual([]);
  });

  test("inviting a disposable address earns nothing", async ({ shop }) => {
    for (const email of ["mia@mailinator.com", "mia@sub.guerrillamail.com"]) {
      const inviter = await member(shop);
      await joinInvited(shop, inviter, await member(shop), { email });
      await expectRefused(shop, inviter);
    }
  });

  test("inviting a friend who signs up again after deleting an account earns nothing", async ({
    shop,
    inviter,
  }) => {
    const gone = await member(shop);
    await shop.deps.db.transaction().execute((tx) =>
      endInvitationsOf(tx, shop.deps, {
        id: gone.id,
        email: "back@example.com",
        isConfirmed: true,
      }),
    );
    const again = await member(shop);
    await joinInvited(shop, inviter, again, { email: "back@example.com" });
    await expectRefused(shop, inviter);
  });

  test("the inviter's reward waits until the friend's email address is confirmed", async ({
    shop,
    inviter,
  }) => {
    const friend = await inviteByLink(shop, inviter);
    const sale = await deal(shop, "paid", { buyer: friend, paidBy: "pm_card_amex" });
    await release(sale);
    const setConfirmed = (at: Date | null) =>
      shop.pool.query("update members set confirmed_at = $1 where id = $2", [at, friend.id]);
    await setConfirmed(null);
    expect(await creditOf(shop, inviter)).toBe(0);
    await setConfirmed(shop.clock.now());
    expect(await creditOf(shop, inviter)).toBe(30);
  });

  test("friends of a suspended inviter get no discount until the inviter is restored", async ({
    shop,
    admin,
    inviter,
    seller,
  }) => {
    const friend = await inviteByLink(shop, inviter);
    const booking = await bookLaptop(friend, await insertLaptop(shop, seller));
    const read = () => friend.call(findBookingToPay, { params: { id: booking } });
    const suspend = (suspended: boolean) =>
      admin.call(toggleSuspension, { body: { id: inviter.id, suspended } });
    await suspend(false);
    expect(await hasDiscount(friend)).toBe(false);
    expect(await read()).toMatchObject({ discount: 0, amountDue: 640 });
    await suspend(true);
    expect(await read()).toMatchObject({ discount: 96 });
  });

  test("a friend gets no discount on the inviter's own laptop, and the inviter gets no reward", async ({
    shop,
  }) => {
    const seller = await member(shop, { accountType: "seller" });
    const friend = await inviteByLink(shop, seller);
    const booking = await bookLaptop(friend, await insertLaptop(shop, seller));
    const params = { id: booking };
    expect(await friend.call(findBookingToPay, { params })).toMatchObject({ amountDue: 640 });
    await deal(shop, "released", { seller, buyer: friend });
    expect(await creditOf(shop, seller)).toBe(0);
  });

  test("an inviter can't spend credit on an invited friend's laptop", async ({ shop, inviter }) => {
    const friend = await member(shop, { accountType: "seller" });
    await joinInvited(shop, inviter, friend);
    const { db } = shop.deps;
    await earnCredit(db, shop.deps, { memberId: inviter.id, id: inviter.id, cents: 3_000 });
    const booking = await bookLaptop(inviter, await insertLaptop(shop, friend));
    const params = { id: booking };
    expect(await inviter.call(findBookingToPay, { params })).toMatchObject({ amountDue: 640 });
  });

  test("a canceled or refunded purchase earns the inviter nothing, and a $200 laptop gets no discount", async ({
    shop,
    admin,
    inviter,
    seller,
  }) => {
    const friend = await inviteByLink(shop, inviter);
    const cheap = await insertLaptop(shop, seller, { resale_cents: 20_000 });
    const id = await bookLaptop(friend, cheap, { price: 200 });
    expect(await friend.call(findBookingToPay, { params: { id } })).toMatchObject({ discount: 0 });
    await cancelHold(friend, id);
    await cancelHold(friend, await bookLaptop(friend, await insertLaptop(shop, seller)));
    expect(await creditOf(shop, inviter)).toBe(0);
    await forgetCards(shop);
    const sale = await deal(shop, "paid", { buyer: friend, seller, paidBy: "pm_card_amex" });
    await sale.refund(admin);
    await wait(shop, 100 * hour);
    expect(await creditOf(shop, inviter)).toBe(0);
  });

  test("at most five discounts are given per inviter and per seller, and canceling a hold frees one", async ({
    shop,
    inviter,
    seller,
  }) => {
    const [other, another] = [await member(shop), await member(shop)];
    const buys = async (by: Person, from: Person) => {
      const friend = await inviteByLink(shop, by);
      return { friend, deal: await deal(shop, "held", { buyer: friend, seller: from }) };
    };
    const due = async ({ friend, deal }: Awaited<ReturnType<typeof buys>>) =>
      await friend.call(findBookingToPay, { params: { id: deal.booking } });
    const first = await buys(inviter, seller);
    for (let count = 1; count < 4; count += 1) await buys(inviter, seller);
    // Two friends compete for the fifth discount.
    const two = await Promise.all([buys(inviter, seller), buys(inviter, seller)]);
    const paid = await Promise.all(two.map(due));
    expect(paid.map(({ amountDue }) => amountDue).sort()).toEqual([544, 640]);
    expect(paid.map(({ noDiscount }) => noDiscount).sort()).toEqual(["inviter", null]);
    const sixth = await inviteByLink(shop, inviter);
    expect(await hasDiscount(sixth)).toBe(false);
    expect(await due(await buys(other, seller))).toMatchObject({
      amountDue: 640,
      discount: 0,
      noDiscount: "seller",
    });
    const elsewhere = await member(shop, { accountType: "seller" });
    expect(await due(await buys(another, elsewhere))).toMatchObject({ amountDue: 544 });
    await cancelHold(first.friend, first.deal.booking);
    expect(await hasDiscount(sixth)).toBe(true);
    expect(await due(await buys(other, seller))).toMatchObject({ amountDue: 544 });
  });
});

test("only a member's ten newest browsers are stored", async ({ shop, inviter }) => {
  const authorization = `Bearer ${await inviter.token()}`;
  for (let number = 0; number < 12; number += 1) {
    shop.clock.advance(1);
    const headers = { ...browserOf(`b${number}-${inviter.id.slice(-12)}`), authorization };
    await shop.app.inject({ url: "/api/invites/own", headers });
  }
  const traces = await shop.deps.db
    .selectFrom("member_traces")
    .select("seen_at")
    .where("member_id", "=", inviter.id)
    .where("kind", "=", "browser")
    .orderBy("seen_at")
    .execute();
  expect(traces).toHaveLength(10);
  const oldest = shop.clock.now().getTime() - 9 * 60_000;
  expect(traces[0]?.seen_at.getTime()).toBe(oldest);
});
