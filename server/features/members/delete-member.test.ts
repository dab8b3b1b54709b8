import { expect } from "vitest";
import { listBookings } from "#contract/bookings.ts";
import { deleteUser } from "#contract/members.ts";
import { listPayments } from "#contract/payments.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import type { Sale } from "../../testing/deal.ts";
import { deal } from "../../testing/deal.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { waitForMailAbout } from "../../testing/inbox.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { endHoldWithoutProvider, payOutWithoutProvider } from "../../testing/settlements.ts";
import { changeAdmin } from "../staff/change-staff-role.ts";

const test = shopTest({ sandbox: true, worker: true }).extend("held", ({ shop }) =>
  deal(shop, "held"),
);

test.beforeAll(async ({ shop }) => {
  await shop.cards.injectFaults({ webhook: { hold: true } });
});

const remove = (admin: Person, { id }: Person) => admin.call(deleteUser, { params: { id } });
const stateOf = async ({ shop, booking }: Sale) =>
  await shop.deps.db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "product_id")
    .select(["state", "sales_status", "products.deleted_at"])
    .where("bookings.id", "=", booking)
    .executeTakeFirstOrThrow();

test("a member with an open deal can't become an admin, and deleting the deal's buyer cancels the unpaid hold", async ({
  shop,
  admin,
  held,
}) => {
  for (const { email, id } of [held.buyer, held.seller]) {
    await expect(changeAdmin(shop.deps, { email, isAdmin: true })).rejects.toThrow("Wait until");
    const find = shop.deps.db.selectFrom("members").select("is_admin").where("id", "=", id);
    expect(await find.executeTakeFirst()).toEqual({ is_admin: false });
  }
  await remove(admin, held.buyer);
  expect(await stateOf(held)).toEqual({
    state: "cancelled",
    sales_status: "available",
    deleted_at: null,
  });
  await expect(shop.cards.pay(held.intent)).rejects.toThrow();
  const written = await shop.deps.db
    .selectFrom("audit_log")
    .select(["verb", "actor_id"])
    .where("object_id", "in", [held.booking, held.buyer.id])
    .orderBy("id")
    .execute();
  expect(written).toEqual([
    { verb: "hold", actor_id: held.buyer.id },
    { verb: "cancel", actor_id: admin.id },
    { verb: "delete", actor_id: admin.id },
  ]);
});

test("deleting a seller with paid deals fails with 409, even with an Idempotency-Key", async ({
  shop,
  admin,
}) => {
  const [first, second] = [await deal(shop, "held"), await deal(shop, "held")];
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
  for (const sale of [first, second])
    expect(await stateOf(sale)).toMatchObject({ state: "paid", sales_status: "sold" });
});

test("deleting a seller cancels the hold on their laptop, emails the buyer, and leaves the order readable", async ({
  shop,
  admin,
  held,
}) => {
  await remove(admin, held.seller);
  expect(await stateOf(held)).toMatchObject({
    state: "cancelled",
    deleted_at: expect.any(Date),
  });
  const { email } = held.buyer;
  await waitForMailAbout(shop, email, /^Your hold on .* was canceled$/);
  const [order] = await held.buyer.call(listBookings, { params: { email } });
  expect(order).toMatchObject({ _id: held.booking, state: "cancelled" });
  expect(order?.bookingProduct.product_name).not.toBe("");
});

test("neither party to a paid deal can be deleted before a refund or the handover, nor the seller before the payout", async ({
  shop,
  admin,
}) => {
  const [undone, done] = [await deal(shop, "held"), await deal(shop, "held")];
  for (const sale of [undone, done]) {
    await sale.pay();
    for (const someone of [sale.buyer, sale.seller])
      expect(await errorOf(remove(admin, someone))).toMatchObject({ status: 409, code: "IN_USE" });
  }
  await undone.refund(admin);
  await done.handOver();
  const early = await errorOf(remove(admin, done.seller));
  expect(early).toMatchObject({ status: 409, message: expect.stringContaining("still with us") });
  await payOutWithoutProvider(shop, done);
  for (const { seller } of [undone, done]) await remove(admin, seller);
  expect(await done.order()).toMatchObject({ state: "completed" });
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
  held,
}) => {
  await shop.cards.pay(held.intent);
  expect(await errorOf(remove(admin, held.buyer))).toMatchObject({ status: 409, code: "IN_USE" });
  expect(await stateOf(held)).toMatchObject({ state: "paid", sales_status: "sold" });
});

test("a payment that arrives after its buyer was deleted is refunded only once", async ({
  shop,
  admin,
  held,
}) => {
  await shop.cards.pay(held.intent);
  await endHoldWithoutProvider(shop, held, "cancelled");
  await remove(admin, held.buyer);
  await shop.deps.db
    .transaction()
    .execute((tx) => enqueue(tx, "settleIntent", { payload: { intentId: held.intent } }));
  const refunds = async () =>
    (await shop.cards.ledger()).refunds.filter(
      ({ payment_intent }) => payment_intent === held.intent,
    );
  await expect.poll(refunds).toMatchObject([{ amount: 64_000 }]);
  expect(await stateOf(held)).toMatchObject({
    state: "cancelled",
    sales_status: "available",
  });
});
