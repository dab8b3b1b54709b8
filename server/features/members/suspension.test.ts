import { describe, expect } from "vitest";
import { listSessions } from "#contract/account.ts";
import { listAuditLog } from "#contract/audit.ts";
import { findBookingToPay } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import { send } from "#contract/client.ts";
import { deleteUser, endMemberSessions, listSellers, toggleSuspension } from "#contract/members.ts";
import { findSessions, insertSession } from "../../adapters/identity/testing.ts";
import { logIn, openBrowser, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { anyCategory, createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import { continueWithGoogle } from "../../testing/provider-sign-in.ts";
import type { Shop } from "../../testing/shop.ts";
import { changeAdmin } from "../staff/change-staff-role.ts";

const test = shopTest({ sandbox: true, worker: true });

const suspend = (admin: Person, id: string, suspended = false) =>
  admin.call(toggleSuspension, { body: { id, suspended } });

async function shown(shop: Shop): Promise<string[]> {
  const params = { id: await anyCategory(shop) };
  const listed = await createVisitor(shop).call(listCategoryProducts, {
    params,
    query: { limit: 100 },
  });
  return listed.map(({ _id }) => _id);
}

const suspendedSentence =
  "This account is suspended. If you think that is a mistake, write to us: see Contact at the bottom of the page.";

describe("a suspended member", () => {
  test("§10.20: a suspended member is signed out immediately and can't sign in until restored", async ({
    shop,
    admin,
  }) => {
    const email = "sam@example.com";
    const connection = await signUpAt(shop.url, email, "seller");
    const sellers = await admin.call(listSellers, { query: { limit: 100 } });
    const { _id = "" } = sellers.find((one) => one.email === email) ?? {};
    expect(await suspend(admin, _id)).toMatchObject({ suspended: true });
    expect(await errorOf(send(connection, listSessions, {}))).toMatchObject({ status: 401 });

    expect(await logIn(shop.url, email)).toMatchObject({
      status: 403,
      code: "ACCOUNT_SUSPENDED",
      message: suspendedSentence,
    });
    // A wrong password doesn't reveal the suspension.
    expect(await logIn(shop.url, email, { password: "Wrong#2026" })).toMatchObject({ status: 401 });
    expect(await suspend(admin, _id, true)).toMatchObject({ suspended: false });
    expect(await logIn(shop.url, email)).toMatchObject({ status: 200 });
    const verbs = (await admin.call(listAuditLog, { query: { objectId: _id } })).map(
      ({ verb, actor }) => [verb, actor?._id],
    );
    expect(verbs.slice(0, 2)).toEqual([
      ["restore", admin.id],
      ["suspend", admin.id],
    ]);
  });

  test("a suspended member can't sign in with Google", async ({ shop, admin }) => {
    const someone = await member(shop);
    await suspend(admin, someone.id);
    const who = { name: someone.name, email: someone.email, verified: true };
    const browser = openBrowser(shop.url);
    expect(await continueWithGoogle(browser, who)).toBe("ACCOUNT_SUSPENDED");
    expect(await browser.user()).toBeUndefined();
    await suspend(admin, someone.id, true);
    expect(await continueWithGoogle(browser, who)).toBe("");
  });

  test("a session created while its member is being suspended is rejected with ACCOUNT_SUSPENDED", async ({
    shop,
    admin,
  }) => {
    const someone = await member(shop);
    const { db } = shop.deps;
    const [session] = await findSessions(db, someone.email);
    await suspend(admin, someone.id);
    await insertSession(db, someone.id, session);
    expect(await errorOf(someone.call(listSessions, {}))).toMatchObject({
      status: 403,
      code: "ACCOUNT_SUSPENDED",
      message: suspendedSentence,
    });
  });

  test("suspending a seller cancels unpaid holds, and hides the seller's listings from public pages until the seller is restored", async ({
    shop,
    admin,
  }) => {
    const seller = await member(shop, { accountType: "seller" });
    const [product, buyer] = [await listing(seller), await member(shop)];
    const held = await bookLaptop(buyer, await listing(seller));
    expect(await shown(shop)).toContain(product);
    await suspend(admin, seller.id);
    await expect.poll(() => shown(shop)).not.toContain(product);
    const hold = () => buyer.call(findBookingToPay, { params: { id: held } });
    await expect.poll(hold).toMatchObject({ state: "cancelled" });
    expect(await errorOf(bookLaptop(buyer, product))).toMatchObject({ status: 404 });
    await suspend(admin, seller.id, true);
    await expect.poll(() => shown(shop)).toContain(product);
    await bookLaptop(buyer, product);
  });

  test("suspending an admin fails with IN_USE, and restoring a member who isn't suspended fails with STALE", async ({
    shop,
    admin,
  }) => {
    expect(await errorOf(suspend(admin, admin.id))).toMatchObject({ status: 409, code: "IN_USE" });
    const someone = await member(shop);
    expect(await errorOf(suspend(admin, someone.id, true))).toMatchObject({
      status: 409,
      code: "STALE",
    });
    await admin.call(deleteUser, { params: { id: someone.id } });
    expect(await errorOf(suspend(admin, someone.id))).toMatchObject({ status: 404 });
  });
});

test("an admin can sign a member out everywhere", async ({ shop, admin }) => {
  const someone = await member(shop);
  const params = { id: someone.id };
  expect(await admin.call(endMemberSessions, { params })).toMatchObject({ deletedCount: 1 });
  expect(await errorOf(someone.call(listSessions, {}))).toMatchObject({ status: 401 });
  const [entry] = await admin.call(listAuditLog, { query: { objectId: someone.id } });
  expect(entry).toMatchObject({ verb: "end sessions", detail: { sessions: 1 } });
});

test("email sign-up and Google sign-in reject a deleted member's address", async ({
  shop,
  admin,
}) => {
  const someone = await member(shop);
  await admin.call(deleteUser, { params: { id: someone.id } });
  const { name, email } = someone;
  const browser = openBrowser(shop.url);
  const signUp = await browser.post("/sign-up/email", { name, email, password: "Secret#2026" });
  expect(signUp.status).toBe(403);
  expect(await continueWithGoogle(browser, { name, email, verified: true })).toBe(
    "ADDRESS_BLOCKED",
  );
  expect(await browser.user()).toBeUndefined();
});

test("a shop keeps at least one owner, even if the role is revoked from the last two owners concurrently", async ({
  shop,
  admin,
}) => {
  const revoke = ({ email }: Person) => changeAdmin(shop.deps, { email, isAdmin: false });
  await expect(revoke(admin)).rejects.toThrow("is the only owner");
  const other = await member(shop, { isAdmin: true });
  const outcomes = await Promise.allSettled([revoke(admin), revoke(other)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
