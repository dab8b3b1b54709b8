import { sql } from "kysely";
import { describe, expect } from "vitest";
import { findBookingToPay } from "#contract/bookings.ts";
import { proposeMeeting } from "#contract/meetings.ts";
import { listMessages } from "#contract/messages.ts";
import { makeOffer } from "#contract/offers.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, type Deal } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { endHoldWithoutProvider } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { countLockWaits } from "../../testing/test-connections.ts";
import { endHoldsOf } from "../members/suspension.ts";
import { ask, block, startConversation, write } from "./testing.ts";

/** Starts a conversation. The returned `block` makes `by` block the other member. */
const test = dealTest().extend(
  "block",
  ({ shop, seller, buyer }) =>
    async (by: Person = seller) => {
      const id = await ask(buyer, await insertLaptop(shop, seller));
      return { block: () => block(by, id) };
    },
);

const propose = (shop: Shop, who: Person, { booking: id }: Pick<Deal, "booking">) => {
  const startsAt = new Date(shop.clock.now().getTime() + 48 * 3_600_000).toISOString();
  const body = { place: "The library", startsAt, timeZone: "America/New_York" };
  return who.call(proposeMeeting, { params: { id }, body });
};

async function endHolds(shop: Shop, by: Person): Promise<void> {
  const { rows } = await sql<{ payload: Parameters<typeof endHoldsOf>[1] }>`
    select payload from job_outbox where task = 'endHoldsOf' and payload ->> 'actor' = ${by.id}`.execute(
    shop.deps.db,
  );
  for (const { payload } of rows) await endHoldsOf(shop.deps, payload);
}

describe("after one member has blocked the other", () => {
  for (const who of ["seller", "buyer"] as const)
    test(`§10.11: the buyer can't hold the seller's laptop after a block by the ${who}`, async ({
      shop,
      seller,
      buyer,
      block,
    }) => {
      await (await block({ seller, buyer }[who])).block();
      const product = await insertLaptop(shop, seller);
      expect(await errorOf(bookLaptop(buyer, product))).toMatchObject({
        status: 403,
        code: "BLOCKED",
        message: "You can't hold this laptop: one of you has blocked the other.",
      });
    });

  test("§10.11: after a block, an unpaid hold hides contact details and rejects meeting proposals until a job ends the hold", async ({
    shop,
    seller,
    buyer,
    block,
  }) => {
    const ready = await block();
    const sale = await deal(shop, "held", { seller, buyer });
    const read = () => buyer.call(findBookingToPay, { params: { id: sale.booking } });
    expect((await read()).bookingProduct.mobile_number).toBeDefined();
    await ready.block();
    expect((await read()).bookingProduct).not.toHaveProperty("mobile_number");
    expect((await read()).bookingProduct).not.toHaveProperty("sellerEmail");
    expect(await errorOf(propose(shop, buyer, sale))).toMatchObject({ code: "BLOCKED" });
    await endHolds(shop, seller);
    expect(await sale.order()).toMatchObject({ state: "cancelled", cancelledBy: "seller" });
  });

  test("§10.11: a block affects neither a paid deal nor a hold with another member", async ({
    shop,
    block,
  }) => {
    const paid = await deal(shop, "paid");
    const { seller, buyer } = paid;
    const ready = await block();
    const other = await member(shop, { accountType: "seller" });
    const elsewhere = await deal(shop, "held", { seller: other, buyer });
    await ready.block();
    await endHolds(shop, seller);
    expect(await elsewhere.order()).toMatchObject({ state: "held" });
    const order = await paid.order();
    expect(order).toMatchObject({ state: "paid" });
    expect(order.bookingProduct.sellerEmail).toBe(seller.email);
    await propose(shop, buyer, paid);
    await propose(shop, seller, paid);
  });

  test("a payment reported after its hold expired is due for refund if the seller has blocked the buyer", async ({
    shop,
    seller,
    buyer,
    block,
  }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "held", { seller, buyer });
    const ready = await block();
    await shop.cards.pay(sale.intent);
    await endHoldWithoutProvider(shop, sale, "expired");
    await ready.block();
    await errorOf(sale.report());
    expect(await sale.payments()).toMatchObject([{ state: "refund_due" }]);
    expect(await sale.order()).toMatchObject({ state: "expired" });
  });
});

test("a hold or an offer waiting for a concurrent block fails with BLOCKED", async ({
  shop,
  seller,
  buyer,
  block,
}) => {
  const ready = await block();
  const product = await insertLaptop(shop, seller);
  const waiting = () => countLockWaits(shop.pool);
  const { blocked, held, offered } = await shop.deps.db.transaction().execute(async (tx) => {
    await sql`select from conversations where buyer_id = ${buyer.id} for update`.execute(tx);
    const blocked = ready.block();
    await expect.poll(waiting).toBe(1);
    const held = errorOf(bookLaptop(buyer, product));
    await expect.poll(waiting).toBe(2);
    const body = { product: { _id: product }, price: 600, phone: "5550123", location: "Here" };
    const offered = errorOf(buyer.call(makeOffer, { body }));
    await expect.poll(waiting).toBe(3);
    return { blocked, held, offered };
  });
  await blocked;
  expect(await held).toMatchObject({ code: "BLOCKED" });
  expect(await offered).toMatchObject({ code: "BLOCKED" });
});

test("a block waits for a message that is being sent, and meanwhile holds no lock that the message needs", async ({
  shop,
  seller,
}) => {
  const { buyer, id } = await startConversation(shop, seller);
  const waiting = () => countLockWaits(shop.pool);
  const { sent, blocked } = await shop.deps.db.transaction().execute(async (tx) => {
    await sql`select from conversation_members
      where conversation_id = ${id} and member_id = ${seller.id} for update`.execute(tx);
    const sent = write(buyer, id);
    await expect.poll(waiting).toBe(1);
    const blocked = block(seller, id);
    await expect.poll(waiting).toBe(2);
    // The block must not hold this lock, which sending the message takes next.
    await sql`select from message_inboxes where member_id = ${seller.id} for update nowait`.execute(
      tx,
    );
    return { sent, blocked };
  });
  await Promise.all([sent, blocked]);
  expect(await errorOf(write(buyer, id))).toMatchObject({ code: "BLOCKED" });
  expect(await seller.call(listMessages, { params: { id } })).toHaveLength(2);
});
