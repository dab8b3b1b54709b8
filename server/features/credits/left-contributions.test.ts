import { expect } from "vitest";
import { findBookingToPay } from "#contract/bookings.ts";
import { balance, give } from "../../testing/credits.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { hasDiscount, inviteByLink } from "../../testing/invitations.ts";
import { listLaptop, openDeal, payForDeal } from "../../testing/marketplace.ts";
import { createMember, type Person } from "../../testing/people.ts";
import {
  connectBank,
  day,
  earnedBy,
  handOver,
  hour,
  moneyOf,
  wait,
} from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { rewardInvitations } from "../invitation-lifecycle/reward-invitations.ts";

const test = dealTest().extend("friend", async ({ shop }) =>
  inviteByLink(shop, await createMember(shop)),
);

/** Ends a deal as a node of a version without credit does: the states change, and the ledger doesn't. */
async function endAsOldNode(
  { deps: { db } }: Shop,
  booking: string,
  state: "expired" | "refunded",
) {
  const { product_id } = await db
    .updateTable("bookings")
    .set({ state })
    .where("id", "=", booking)
    .returning("product_id")
    .executeTakeFirstOrThrow();
  const free = { sales_status: "available" } as const;
  await db.updateTable("products").set(free).where("id", "=", product_id).execute();
}

const returnedTo = (shop: Shop, { id }: Person) =>
  shop.deps.db
    .selectFrom("ledger_journals")
    .select("id")
    .where("member_id", "=", id)
    .where("kind", "=", "credit_returned")
    .execute();

test("of a hold that an older node ended, credit and discount come back, once", async ({
  shop,
  seller,
  friend,
}) => {
  await give(shop, friend, 30);
  const deal = await openDeal(friend, await listLaptop(seller));
  expect(await moneyOf(shop, deal)).toEqual({ held: 12_600, contributed: 12_600 });
  await rewardInvitations(shop.deps);
  expect(await balance(friend)).toBe(0);
  await endAsOldNode(shop, deal.booking, "expired");
  await Promise.all([rewardInvitations(shop.deps), rewardInvitations(shop.deps)]);
  await rewardInvitations(shop.deps);
  expect(await moneyOf(shop, deal)).toEqual({});
  expect(await balance(friend)).toBe(30);
  expect(await returnedTo(shop, friend)).toHaveLength(1);
  expect(await hasDiscount(friend)).toBe(true);
  const { booking: id } = await openDeal(friend, await listLaptop(seller));
  expect(await friend.call(findBookingToPay, { params: { id } })).toMatchObject({ amountDue: 514 });
});

test("of a sale that an older node refunded too, and the card's money stays in the deal for its refund", async ({
  shop,
  cards,
  seller,
  friend,
}) => {
  await give(shop, friend, 30);
  const deal = await openDeal(friend, await listLaptop(seller));
  await payForDeal(cards, deal);
  await endAsOldNode(shop, deal.booking, "refunded");
  await rewardInvitations(shop.deps);
  expect(await moneyOf(shop, deal)).toEqual({ held: 51_400 });
  expect(await balance(friend)).toBe(30);
});

test("of a sale of which an older node found all card money gone, and the seller has earned less", async ({
  shop,
  cards,
  seller,
  friend,
}) => {
  await give(shop, friend, 30);
  const deal = await openDeal(friend, await listLaptop(seller));
  await payForDeal(cards, deal);
  await handOver(deal);
  await shop.deps.db
    .updateTable("settlements")
    .set({ state: "refunded" })
    .where("booking_id", "=", deal.booking)
    .execute();
  await rewardInvitations(shop.deps);
  expect(await balance(friend)).toBe(30);
  expect(await earnedBy(seller)).toBe(514);
});

test("nothing comes back from a sale that went well", async ({ shop, cards, seller, buyer }) => {
  await connectBank(cards, seller);
  await give(shop, buyer, 30);
  const other = await openDeal(await createMember(shop), await listLaptop(seller));
  await payForDeal(cards, other);
  await cards.advanceClock(8);
  const deal = await openDeal(buyer, await listLaptop(seller));
  await payForDeal(cards, deal);
  await handOver(deal);
  await wait(shop, 72 * hour);
  await wait(shop, 2 * day);
  expect(await moneyOf(shop, deal)).toEqual({ transferred: 64_000, contributed: 3_000 });
  await rewardInvitations(shop.deps);
  expect(await moneyOf(shop, deal)).toEqual({ transferred: 64_000, contributed: 3_000 });
  expect(await balance(buyer)).toBe(0);
});
