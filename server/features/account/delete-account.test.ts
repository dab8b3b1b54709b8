import { sql } from "kysely";
import { describe, expect } from "vitest";
import { deleteAccount, listSessions, readOwnData } from "#contract/account.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import { send } from "#contract/client.ts";
import { logIn, openBrowser, password, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { anyCategory, createVisitor, errorOf, member } from "../../testing/people.ts";
import { openShop } from "../../testing/shop.ts";
import { cleanUp } from "../retention/clean-up.ts";

const test = shopTest();

describe("deleting your own account", () => {
  test("§10.8: deleting an account hides its listings and ends its sessions", async ({ shop }) => {
    const seller = await member(shop, { accountType: "seller" });
    const product = await listing(seller);
    expect(await seller.call(deleteAccount, {})).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await errorOf(seller.call(listSessions, {}))).toMatchObject({ status: 401 });
    const params = { id: await anyCategory(shop) };
    const shown = await createVisitor(shop).call(listCategoryProducts, { params });
    expect(shown.map(({ _id }) => _id)).not.toContain(product);
  });

  test("§10.8: an account with an unfinished paid deal can't be deleted", async ({ shop }) => {
    const [seller, buyer] = [await member(shop, { accountType: "seller" }), await member(shop)];
    const product = await listing(seller);
    const booking = await bookLaptop(buyer, product);
    await sql`update products set sales_status = 'sold' where id = ${product}`.execute(
      shop.deps.db,
    );
    await sql`update bookings set state = 'paid' where id = ${booking}`.execute(shop.deps.db);
    for (const party of [seller, buyer]) {
      expect(await errorOf(party.call(deleteAccount, {}))).toMatchObject({
        status: 409,
        code: "IN_USE",
        message: expect.stringContaining("not yet handed over"),
      });
    }
  });

  test("an admin can't delete their own account", async ({ shop }) => {
    const admin = await member(shop, { isAdmin: true });
    expect(await errorOf(admin.call(deleteAccount, {}))).toMatchObject({
      status: 409,
      message: "You can't delete yourself while you are an admin.",
    });
  });

  test("a deleted account's email address is blocked for 30 days, and a new account with that address gets none of the old data", async () => {
    const later = await openShop();
    const email = "twice@example.com";
    const here = await signUpAt(later.url, email, "buyer");
    await send(here, deleteAccount, {});
    expect((await logIn(later.url, email)).status).toBe(401);
    const blocked = { name: "Twice", email: "Twice@example.com", password };
    const signUp = () => openBrowser(later.url).post("/sign-up/email", blocked);
    const refused = await signUp();
    expect([refused.status, await refused.json()]).toEqual([
      403,
      {
        code: "ADDRESS_BLOCKED",
        message: "This address can't be used for a new account right now. Use another one.",
      },
    ]);
    later.clock.advance(30 * 24 * 60 - 1);
    await cleanUp(later.deps);
    expect((await signUp()).status).toBe(403);
    later.clock.advance(2);
    await cleanUp(later.deps);
    const again = await signUpAt(later.url, email, "seller");
    expect((await send(again, readOwnData, {})).body).toMatchObject({
      member: { accountType: "seller" },
      activity: [{ verb: "join" }],
    });
    await later.close();
  });
});
