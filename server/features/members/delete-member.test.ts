import { expect } from "vitest";
import { findBookingToPay, listBookings } from "#contract/bookings.ts";
import { confirmHandover } from "#contract/handover.ts";
import { deleteUser } from "#contract/members.ts";
import { listPayments, refundBooking } from "#contract/payments.ts";
import { enqueue } from "../../db/job-queue.ts";
import { endHoldWithoutProvider, payOutWithoutProvider } from "../../testing/deals.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { waitForMailAbout } from "../../testing/inbox.ts";
import { type Deal, listing, openDeal, payForDeal } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { changeAdmin } from "../staff/change-staff-role.ts";

/** `deal`: a new seller's laptop, held by a new buyer. */
const test = shopTest({ sandbox: true, worker: true }).extend("deal", ({ shop }) => open(shop));

test.beforeAll(async ({ shop }) => {
  await shop.cards.injectFaults({ webhook: { hold: true } });
});

type Dealing = Deal<Person> & { seller: Person };

async function open(shop: Shop): Promise<Dealing> {
  const seller = await member(shop, { accountType: "seller" });
  return { seller, ...(await openDeal(await member(shop), await listing(seller))) };
}

const remove = (admin: Person, { id }: Person) => admin.call(deleteUser, { params: { id } });
const stateOf = async (shop: Shop, { booking }: Deal) =>
  await shop.deps.db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "product_id")
    .select(["state", "sales_status", "products.deleted_at"])
    .where("bookings.id", "=", booking)
    .executeTakeFirstOrThrow();

test("a member with an open deal can't become an admin; deleting the deal's buyer cancels the unpaid hold", async ({
  shop,
  admin,
  deal,
}) => {
  for (const { email, id } of [deal.buyer, deal.seller]) {
    await expect(changeAdmin(shop.deps, { email, isAdmin: true })).rejects.toThrow("Wait until");
    const find = shop.deps.db.selectFrom("members").select("is_admin").where("id", "=", id);
    expect(await find.executeTakeFirst()).toEqual({ is_admin: false });
  }
  await remove(admin, deal.buyer);
  expect(await stateOf(shop, deal)).toEqual({
    state: "cancelled",
    sales_status: "available",
    deleted_at: null,
  });
  await expect(shop.cards.pay(deal.intent)).rejects.toThrow();
  const written = await shop.deps.db
    .selectFrom("audit_log")
    .select(["verb", "actor_id"])
    .where("object_id", "in", [deal.booking, deal.buyer.id])
    .orderBy("id")
    .execute();
  expect(written).toEqual([
    { verb: "hold", actor_id: deal.buyer.id },
    { verb: "cancel", actor_id: admin.id },
    { verb: "delete", actor_id: admin.id },
  ]);
});

test("deleting a seller with paid deals fails with 409, even with an Idempotency-Key", async ({
  shop,
  admin,
}) => {
  const [first, second] = [await open(shop), await open(shop)];
  const { seller } = first;
  await shop.deps.db
    .updateTable("products")
    .set({ seller_id: seller.id })
    .where("id", "=", second.product)
    .execute();
  for (const { intent } of [first, second]) await shop.cards.pay(intent);
  const gone = fetch(`${shop.url}/api/users/${seller.id}`, {
    method: "DELETE",
    headers: {
      authorization: `Bearer ${await admin.token()}`,
      "idempotency-key": "a seller of two laptops",
    },
  });
  expect((await gone).status).toBe(409);
  for (const deal of [first, second])
    expect(await stateOf(shop, deal)).toMatchObject({ state: "paid", sales_status: "sold" });
});

test("deleting a seller cancels the hold on their laptop, emails the buyer, and leaves the order readable", async ({
  shop,
  admin,
  deal,
}) => {
  await remove(admin, deal.seller);
  expect(await stateOf(shop, deal)).toMatchObject({
    state: "cancelled",
    deleted_at: expect.any(Date),
  });
  const { email } = deal.buyer;
  await waitForMailAbout(shop, email, /^Your hold on .* was canceled$/);
  const [order] = await deal.buyer.call(listBookings, { params: { email } });
  expect(order).toMatchObject({ _id: deal.booking, state: "cancelled" });
  expect(order?.bookingProduct.product_name).not.toBe("");
});

test("neither party to a paid deal can be deleted until the deal is refunded or paid out", async ({
  shop,
  admin,
}) => {
  const [undone, done] = [await open(shop), await open(shop)];
  for (const deal of [undone, done]) {
    await payForDeal(shop.cards, deal);
    for (const someone of [deal.buyer, deal.seller])
      expect(await errorOf(remove(admin, someone))).toMatchObject({ status: 409, code: "IN_USE" });
  }
  await admin.call(refundBooking, { body: { bookingId: undone.booking } });
  await done.buyer.call(confirmHandover, { body: { id: done.booking } });
  const early = await errorOf(remove(admin, done.seller));
  expect(early).toMatchObject({ status: 409, message: expect.stringContaining("still with us") });
  await payOutWithoutProvider(shop, done);
  for (const { seller } of [undone, done]) await remove(admin, seller);
  const read = { params: { id: done.booking } };
  expect(await done.buyer.call(findBookingToPay, read)).toMatchObject({ state: "completed" });
  for (const { buyer } of [undone, done]) await remove(admin, buyer);

  const search = undone.intent;
  const found = async () => (await admin.call(listPayments, { query: { search } }))[0];
  await expect.poll(found).toMatchObject({
    state: "refunded",
    bookingState: "refunded",
    email: undone.buyer.email,
  });
  await waitForMailAbout(shop, undone.buyer.email, /^Your refund of \$640 is on its way$/);
});

test("deleting a buyer who has paid fails with IN_USE, and records the payment if no webhook has reported it", async ({
  shop,
  admin,
  deal,
}) => {
  await shop.cards.pay(deal.intent);
  expect(await errorOf(remove(admin, deal.buyer))).toMatchObject({ status: 409, code: "IN_USE" });
  expect(await stateOf(shop, deal)).toMatchObject({ state: "paid", sales_status: "sold" });
});

test("a payment that arrives after its buyer was deleted is refunded only once", async ({
  shop,
  admin,
  deal,
}) => {
  await shop.cards.pay(deal.intent);
  // The provider can take the money even after reporting the intent as canceled.
  await endHoldWithoutProvider(shop, deal, "cancelled");
  await remove(admin, deal.buyer);
  await shop.deps.db
    .transaction()
    .execute((tx) => enqueue(tx, "settleIntent", { payload: { intentId: deal.intent } }));
  const refunds = async () =>
    (await shop.cards.ledger()).refunds.filter(
      ({ payment_intent }) => payment_intent === deal.intent,
    );
  await expect.poll(refunds).toMatchObject([{ amount: 64_000 }]);
  expect(await stateOf(shop, deal)).toMatchObject({
    state: "cancelled",
    sales_status: "available",
  });
});
