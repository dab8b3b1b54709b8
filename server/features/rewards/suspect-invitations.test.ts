import { describe, expect } from "vitest";
import { decideInvitation, listSuspectInvitations } from "#contract/invitations.ts";
import { readNeedsYou } from "#contract/needs-you.ts";
import { readSellerOverview } from "#contract/overview.ts";
import { listSales, readPayoutAccount } from "#contract/payouts.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { errorOf, member } from "../../testing/people.ts";
import {
  browserOf,
  creditOf,
  expectRefused,
  hasDiscount,
  inviteByLink,
  joinInvited,
  release,
} from "../../testing/rewards.ts";
import { connectBank, hour, wait } from "../../testing/settlements.ts";
import { recordTrace } from "./member-traces.ts";
import { rewardInvitations } from "./reward-invitations.ts";

const test = dealTest().extend("inviter", ({ shop }) => member(shop));

describe("suspected invitations", () => {
  test("a friend who joins in another member's browser gets no discount until an admin approves", async ({
    shop,
    admin,
    inviter,
  }) => {
    const cookie = browserOf("inviter").cookie;
    const token = `Bearer ${await inviter.token()}`;
    const headers = { cookie, authorization: token };
    expect((await shop.app.inject({ url: "/api/invites/own", headers })).statusCode).toBe(200);
    const friend = await member(shop);
    await joinInvited(shop, inviter, friend, { browser: "inviter".padEnd(22, "x") });
    expect(await hasDiscount(friend)).toBe(false);
    const [found] = await admin.call(listSuspectInvitations, {});
    expect(found).toMatchObject({ reason: "browser", friend: { _id: friend.id } });
    const params = { id: found?._id ?? "" };
    await admin.call(decideInvitation, { params, body: { approve: true } });
    expect(await hasDiscount(friend)).toBe(true);
    const repeated = admin.call(decideInvitation, { params, body: { approve: false } });
    expect(await errorOf(repeated)).toMatchObject({ code: "STALE" });
  });

  const sellers = [
    {
      who: "a seller who shares a browser with the inviter is paid the price minus the discount",
      cents: 54_400,
      shares: true,
    },
    { who: "an innocent seller is paid the whole price", cents: 64_000, shares: false },
  ];
  for (const { who, cents, shares } of sellers)
    test(`after an admin refuses a suspected discount, ${who}`, async ({
      shop,
      admin,
      inviter,
    }) => {
      const seller = await member(shop, { accountType: "seller" });
      await connectBank(shop.cards, seller);
      await deal(shop, "paid", { buyer: inviter, paidBy: "pm_card_mastercard" });
      const [at, value] = [shop.clock.now(), `browser ${inviter.id}`];
      for (const { id: memberId } of shares ? [inviter, seller] : [seller])
        await recordTrace(shop.deps.db, { kind: "browser", value }, { memberId, at });
      const friend = await inviteByLink(shop, inviter);
      const paidBy = "pm_card_mastercard";
      const sale = await deal(shop, "handedOver", { buyer: friend, seller, paidBy });
      await wait(shop, 72 * hour, 2 * hour);
      await rewardInvitations(shop.deps);
      expect(await sale.transfers()).toEqual([]);
      expect(await seller.call(listSales, {})).toMatchObject([
        { state: "releasing", inReview: true, sent: 0 },
      ]);
      expect(await seller.call(readPayoutAccount, {})).toMatchObject({ waiting: 0 });
      const { items } = await admin.call(readNeedsYou, {});
      const waiting = { reason: "discount", bookingId: sale.booking, amount: 640 };
      expect(items).toContainEqual(expect.objectContaining(waiting));
      const queue = await admin.call(listSuspectInvitations, {});
      const found = queue.find((one) => one.friend._id === friend.id);
      expect(found?.purchase).toMatchObject({
        discount: 96,
        seller: { _id: seller.id },
        sellerIsKnown: shares,
      });
      const params = { id: found?._id ?? "" };
      await admin.call(decideInvitation, { params, body: { approve: false } });
      await wait(shop, 2 * hour);
      expect(await sale.transfers()).toMatchObject([{ cents }]);
      expect(await seller.call(listSales, {})).toMatchObject([
        { inReview: false, returned: shares ? 96 : 0 },
      ]);
      expect((await seller.call(readSellerOverview, {})).earned).toBe(cents / 100);
    });

  test("a friend who pays with another member's card needs an admin's approval, and a refusal leaves the inviter without a reward", async ({
    shop,
    admin,
    inviter,
  }) => {
    await deal(shop, "paid", { buyer: inviter, paidBy: "pm_card_mastercard" });
    const friend = await inviteByLink(shop, inviter);
    const sale = await deal(shop, "paid", { buyer: friend, paidBy: "pm_card_mastercard" });
    await release(sale);
    expect(await creditOf(shop, inviter)).toBe(0);
    const queue = await admin.call(listSuspectInvitations, {});
    const found = queue.find((one) => one.friend._id === friend.id);
    expect(found).toMatchObject({ reason: "card" });
    const params = { id: found?._id ?? "" };
    await admin.call(decideInvitation, { params, body: { approve: false } });
    expect(await creditOf(shop, inviter)).toBe(0);
    await expectRefused(shop, inviter);
  });
});
