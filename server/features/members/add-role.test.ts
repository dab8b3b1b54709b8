import { describe, expect } from "vitest";
import { listBookings } from "#contract/bookings.ts";
import {
  addRole,
  isSeller,
  listBuyers,
  listSellers,
  toggleSellerStatus,
} from "#contract/members.ts";
import { askSeller } from "#contract/messages.ts";
import { readSellerOverview } from "#contract/overview.ts";
import { listSellerProducts } from "#contract/products.ts";
import { reportProduct } from "#contract/reports.ts";
import { newId } from "../../db/ids.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, goodLaptop, listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";

const test = shopTest();

const rolesOf = (who: Person) => who.call(isSeller, { params: { email: who.email } });
const add = (who: Person, role: "buyer" | "seller") => who.call(addRole, { body: { role } });

describe("one account with both roles", () => {
  test("a buyer who adds the seller role can sell, and keeps their orders", async ({
    shop,
    seller,
  }) => {
    const buyer = await member(shop);
    const before = await bookLaptop(buyer, await listing(seller));
    const overview = buyer.call(readSellerOverview, {});
    expect(await errorOf(overview)).toMatchObject({ status: 403, code: "FORBIDDEN" });
    await add(buyer, "seller");
    expect(await rolesOf(buyer)).toEqual({ isSeller: true, verify: false, alsoBuys: true });
    await listing(buyer);
    const own = { params: { email: buyer.email } };
    expect(await buyer.call(listSellerProducts, own)).toHaveLength(1);
    const after = await bookLaptop(buyer, await listing(seller));
    const orders = await buyer.call(listBookings, own);
    expect(new Set(orders.map(({ _id }) => _id))).toEqual(new Set([after, before]));
  });

  test("a seller who adds the buyer role can buy", async ({ shop, seller }) => {
    const other = await member(shop, { accountType: "seller", verify: true });
    const laptop = await listing(seller);
    expect(await errorOf(bookLaptop(other, laptop))).toMatchObject({ status: 403 });
    await add(other, "buyer");
    expect(await rolesOf(other)).toEqual({ isSeller: true, verify: true, alsoBuys: true });
    await bookLaptop(other, laptop);
  });

  test("adding a role that the member already has changes nothing and adds no audit row", async ({
    shop,
  }) => {
    const [buyer, seller] = [await member(shop), await member(shop, { accountType: "seller" })];
    await add(buyer, "buyer");
    expect(await rolesOf(buyer)).toMatchObject({ isSeller: false, alsoBuys: false });
    await add(seller, "seller");
    expect(await rolesOf(seller)).toMatchObject({ isSeller: true, alsoBuys: false });
    for (const role of ["seller", "seller", "buyer"] as const) await add(buyer, role);
    const recorded = await shop.deps.db
      .selectFrom("audit_log")
      .select(["actor_id", "detail"])
      .where("verb", "=", "addRole")
      .where("object_id", "in", [buyer.id, seller.id])
      .execute();
    expect(recorded).toEqual([{ actor_id: buyer.id, detail: { role: "seller" } }]);
  });

  test("members can't book, report or ask about their own laptop", async ({ shop }) => {
    const both = await member(shop, { accountType: "seller" });
    await add(both, "buyer");
    const own = await listing(both);
    const booking = bookLaptop(both, own);
    expect(await errorOf(booking)).toMatchObject({
      status: 403,
      message: "This is your own laptop.",
    });
    const report = { comment: "Mine.", reportProduct: { _id: own } };
    expect(await errorOf(both.call(reportProduct, { body: report }))).toMatchObject({
      status: 403,
    });
    const question = { text: "Hello?", key: newId(new Date()), product: { _id: own } };
    expect(await errorOf(both.call(askSeller, { body: question }))).toMatchObject({ status: 404 });
    const row = { id: newId(new Date()), product_id: own, buyer_id: both.id, location: "Here" };
    const insert = shop.deps.db.insertInto("bookings").values({
      ...row,
      price_cents: goodLaptop.resale_price * 100,
      phone: "5550177",
      state: "held",
      booked_at: shop.clock.now(),
      held_until: shop.clock.now(),
    });
    await expect(insert.execute()).rejects.toThrow("a seller does not buy their own laptop");
  });

  test("a member with both roles appears in the seller and buyer lists, and can be verified", async ({
    shop,
  }) => {
    const [admin, buyer] = [await member(shop, { isAdmin: true }), await member(shop)];
    await add(buyer, "seller");
    const query = { search: buyer.email };
    const listed = { _id: buyer.id, accountType: "seller", alsoBuys: true };
    expect(await admin.call(listSellers, { query })).toMatchObject([listed]);
    expect(await admin.call(listBuyers, { query })).toMatchObject([listed]);
    const { id, email } = buyer;
    await admin.call(toggleSellerStatus, { body: { id, email, verify: false } });
    expect(await rolesOf(buyer)).toEqual({ isSeller: true, verify: true, alsoBuys: true });
  });

  test("an admin can't add the buyer or seller role to their own account", async ({ shop }) => {
    const admin = await member(shop, { isAdmin: true });
    for (const role of ["buyer", "seller"] as const)
      expect(await errorOf(add(admin, role))).toMatchObject({ status: 403, code: "FORBIDDEN" });
  });
});
