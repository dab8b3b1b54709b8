import { describe, expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { send } from "#contract/client.ts";
import {
  deleteUser,
  isAdmin,
  isSeller,
  issueToken,
  joinAsMember,
  listBuyers,
  listSellers,
  toggleSellerStatus,
  upsertMember,
} from "#contract/members.ts";
import { listSellerProducts } from "#contract/products.ts";
import { logIn, openBrowser, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";
import { run, waitForExit } from "../../testing/program.ts";
import type { Shop } from "../../testing/shop.ts";
import { signUpWithApp } from "../../testing/two-factor.ts";
import { resetSecondFactor } from "./reset-second-factor.ts";

const test = shopTest();

const browser = (shop: Shop) => openBrowser(shop.url);

async function signedUp(shop: Shop, email: string) {
  const { post, connection } = browser(shop);
  const answer = await post("/sign-up/email", { name: "Ada", email, password: "Secret#2026" });
  expect(answer.status).toBe(200);
  return { post, connection };
}

describe("signing up and signing in", () => {
  test("§7.3 §7.4: an interrupted sign-up is completed at the next login, and the member gets a token only for their own address", async ({
    shop,
    admin,
  }) => {
    const email = "ada@example.com";
    const token = { query: { email } };
    const interrupted = (await signedUp(shop, email)).connection;
    expect(await errorOf(send(interrupted, issueToken, token))).toMatchObject({
      status: 403,
      code: "NOT_A_MEMBER",
    });
    const { connection } = (await logIn(shop.url, email)).browser;
    const body = { name: "Ada", email, accountType: "seller" as const };
    const joined = await send(connection, joinAsMember, { body });
    expect(joined.status).toBe(201);
    const sellers = await admin.call(listSellers, { query: { limit: 100 } });
    expect(sellers).toContainEqual(expect.objectContaining({ ...body, verify: false }));
    expect((await send(connection, issueToken, token)).body.accessToken).toMatch(/^ey/);
    const another = { query: { email: "eve@example.com" } };
    expect(await errorOf(send(connection, issueToken, another))).toMatchObject({
      status: 403,
      code: "NOT_YOUR_ADDRESS",
    });
  });

  test("§7.4 §7.14 §3.3: joining again with the same address in different case returns the same id and changes nothing", async ({
    shop,
    admin,
  }) => {
    const email = "twice@example.com";
    const { connection } = await signedUp(shop, email);
    const first = await send(connection, joinAsMember, {
      body: { name: "T", email, accountType: "buyer" },
    });
    const again = await send(connection, joinAsMember, {
      body: { name: "Changed", email: " TWICE@example.com", accountType: "seller" },
    });
    expect(again).toMatchObject({ status: 200, body: { insertedId: first.body.insertedId } });
    const buyers = await admin.call(listBuyers, { query: { limit: 100 } });
    expect(buyers.filter((user) => user.email === email)).toMatchObject([
      { name: "T", accountType: "buyer" },
    ]);
  });

  test("joining with someone else's address or as an admin is rejected", async ({ shop }) => {
    const { connection } = await signedUp(shop, "own@example.com");
    const other = {
      body: { name: "O", email: "other@example.com", accountType: "buyer" as const },
    };
    expect(await errorOf(send(connection, joinAsMember, other))).toMatchObject({ status: 403 });
    const body = { name: "O", email: "own@example.com", accountType: "admin" as "buyer" };
    expect(await errorOf(send(connection, joinAsMember, { body }))).toMatchObject({
      status: 400,
      fields: { accountType: "Choose an account type: buyer or seller." },
    });
  });

  test("§7.5 §6.7: the call after a Google sign-in creates a buyer, and a repeated call updates only the name, even of a seller", async ({
    shop,
    admin,
  }) => {
    const email = "google@example.com";
    const { connection } = await signedUp(shop, email);
    const put = (name: string) =>
      send(connection, upsertMember, { body: { name, email, accountType: "seller" } });
    expect((await put("G")).body).toMatchObject({
      matchedCount: 0,
      upsertedId: expect.any(String),
    });
    expect((await put("Gina")).body).toMatchObject({
      matchedCount: 1,
      modifiedCount: 1,
      upsertedId: null,
    });
    expect((await put("Gina")).body).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
    const buyers = await admin.call(listBuyers, { query: { limit: 100 } });
    expect(buyers.find((user) => user.email === email)).toMatchObject({
      name: "Gina",
      accountType: "buyer",
    });
    const selma = "google-seller@example.com";
    const { connection: hers } = await signedUp(shop, selma);
    await send(hers, joinAsMember, { body: { name: "S", email: selma, accountType: "seller" } });
    const renamed = { name: "Selma", email: selma, accountType: "buyer" as const };
    expect((await send(hers, upsertMember, { body: renamed })).body.modifiedCount).toBe(1);
    const sellers = await admin.call(listSellers, { query: { limit: 100 } });
    expect(sellers.find((user) => user.email === selma)).toMatchObject({ name: "Selma" });
  });

  test("§5.2.5: the server rejects a weak password with the specification's message", async ({
    shop,
  }) => {
    const { post } = browser(shop);
    const answer = await post("/sign-up/email", {
      name: "W",
      email: "weak@example.com",
      password: "secret",
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: "Password must be strong." });
  });
});

describe("roles", () => {
  test("§7.1 §7.2 §3.7: a member can look up their own roles, and an admin can look up anyone's", async ({
    shop,
    admin,
  }) => {
    const seller = await member(shop, { accountType: "seller", verify: true });
    const unverified = await member(shop, { accountType: "seller" });
    const buyer = await member(shop);
    for (const [someone, expected] of [
      [unverified, { isSeller: true, verify: false, alsoBuys: false }],
      [buyer, { isSeller: false, verify: false, alsoBuys: false }],
      [admin, { isSeller: false, verify: false, alsoBuys: false }],
    ] as const)
      expect(await someone.call(isSeller, { params: { email: someone.email } })).toEqual(expected);
    for (const [someone, verify] of [
      [unverified, false],
      [seller, true],
    ] as const) {
      await listing(someone);
      const own = await someone.call(listSellerProducts, { params: { email: someone.email } });
      expect(own).toMatchObject([{ verify }]);
    }
    const own = { params: { email: admin.email } };
    expect(await admin.call(isAdmin, own)).toEqual({ isAdmin: true });
    const params = { params: { email: seller.email } };
    expect(await seller.call(isSeller, params)).toEqual({
      isSeller: true,
      verify: true,
      alsoBuys: false,
    });
    expect(await seller.call(isAdmin, params)).toEqual({ isAdmin: false });
    expect(await admin.call(isSeller, params)).toEqual({
      isSeller: true,
      verify: true,
      alsoBuys: false,
    });
    for (const call of [isSeller, isAdmin])
      expect(await errorOf(buyer.call(call, params))).toMatchObject({ status: 404 });
  });

  test("§7.17 §7.15 §3.3 §4.6: verifying a seller verifies all their products, and repeating the request fails with STALE", async ({
    shop,
    admin,
  }) => {
    const seller = await member(shop, { accountType: "seller" });
    await listing(seller);
    await listing(seller);
    const body = { id: seller.id, email: seller.email, verify: false };
    const { email } = await member(shop, { accountType: "seller" });
    const mixed = admin.call(toggleSellerStatus, { body: { ...body, email } });
    expect(await errorOf(mixed)).toMatchObject({
      status: 404,
      message: "There is no seller with this id and email.",
    });
    expect(await admin.call(toggleSellerStatus, { body })).toMatchObject({ verify: true });
    const products = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(products.map(({ verify }) => verify)).toEqual([true, true]);
    const sellers = await admin.call(listSellers, { query: { search: seller.email } });
    const { id: _id, name } = seller;
    const listed = { _id, name, email: seller.email, accountType: "seller", verify: true };
    expect(sellers).toMatchObject([listed]);
    expect(await errorOf(admin.call(toggleSellerStatus, { body }))).toMatchObject({
      status: 409,
      code: "STALE",
    });
  });
});

test("§10.19: admins can search members by name or email prefix, page by page", async ({
  shop,
  admin,
}) => {
  const buyers = [await member(shop), await member(shop)];
  // Both buyers were created at the same time, so the one with the larger id counts as newer.
  const [first, second] = buyers.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  if (!first || !second) throw new Error("there are two buyers");
  const seller = await member(shop, { accountType: "seller" });
  for (const { id } of [first, second, seller])
    await shop.deps.db
      .updateTable("members")
      .set({ name: "Åsa%Prefix Holm" })
      .where("id", "=", id)
      .execute();
  const find = (search: string) => admin.call(listBuyers, { query: { search } });
  const ids = async (search: string) => (await find(search)).map(({ _id }) => _id);
  expect(await ids("åSA%p")).toEqual([second.id, first.id]);
  expect(await ids("Åsa_p")).toEqual([]);
  expect(await ids("Prefix")).toEqual([]);
  expect(await ids(first.email.slice(0, 11).toUpperCase())).toEqual([first.id]);
  const page = { search: "åsa", limit: 1 };
  const { body, next } = await admin.send(listBuyers, { query: page });
  expect(body.map(({ _id }) => _id)).toEqual([second.id]);
  const rest = await admin.call(listBuyers, { query: { ...page, cursor: next } });
  expect(rest.map(({ _id }) => _id)).toEqual([first.id]);
  const sellers = await admin.call(listSellers, { query: { search: "åsa" } });
  expect(sellers.map(({ _id }) => _id)).toEqual([seller.id]);
});

describe("deleting members", () => {
  test("§7.16 §7.15: deleting a seller deletes their available products and ends their access immediately", async ({
    shop,
    admin,
  }) => {
    const seller = await member(shop, { accountType: "seller" });
    const other = await member(shop, { accountType: "seller" });
    const listedIds = async () =>
      (await admin.call(listSellers, { query: { limit: 100 } })).map(({ _id }) => _id);
    expect(await listedIds()).toEqual(expect.arrayContaining([seller.id, other.id]));
    const product = await listing(seller);
    expect(await admin.call(deleteUser, { params: { id: seller.id } })).toEqual({
      acknowledged: true,
      deletedCount: 1,
    });
    const left = await listedIds();
    expect(left).toContain(other.id);
    expect(left).not.toContain(seller.id);
    const asked = seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(await errorOf(asked)).toMatchObject({ status: 401 });
    const row = await shop.deps.db
      .selectFrom("products")
      .select("deleted_at")
      .where("id", "=", product)
      .executeTakeFirst();
    expect(row?.deleted_at).not.toBeNull();
  });

  test("an admin can't delete another admin or their own account", async ({ shop, admin }) => {
    const other = await member(shop, { isAdmin: true });
    for (const id of [other.id, admin.id]) {
      expect(await errorOf(admin.call(deleteUser, { params: { id } }))).toMatchObject({
        status: 409,
        code: "IN_USE",
      });
    }
  });
});

const runReset = (shop: Shop, email: string) =>
  waitForExit(
    run({ DATABASE_URL: shop.databaseUrl }, ["server/cli/admin.ts", "reset-second-factor", email]),
  );

test("resetting a lost second factor lets the member log in with the password alone and ends all sessions", async ({
  shop,
}) => {
  const { email, browser: signedIn } = await signUpWithApp(shop.url, "lost-phone@example.com");
  const userAfterLogin = async () => await (await logIn(shop.url, email)).browser.user();
  expect(await signedIn.user()).toMatchObject({ email });
  expect(await userAfterLogin()).toBeUndefined();

  const { code, said } = await runReset(shop, email);
  expect([code, said]).toEqual([
    0,
    `Grace Hopper (${email}) can log in with the password alone, and is signed out everywhere.\n`,
  ]);
  expect(await signedIn.user()).toBeUndefined();
  expect(await userAfterLogin()).toMatchObject({ email });
  const admin = await member(shop, { isAdmin: true });
  const [entry] = await admin.call(listAuditLog, { query: { email } });
  expect(entry).toMatchObject({ verb: "reset second factor", actor: null });
});

test("resetting a second factor fails with a reason if the member is unknown or has no second factor", async ({
  shop,
}) => {
  const email = "no-second-factor@example.com";
  await signUpAt(shop.url, email, "buyer");
  await expect(resetSecondFactor(shop.deps, email)).rejects.toThrow(
    `Grace Hopper (${email}) has no second factor.`,
  );
  expect(await runReset(shop, "nobody@example.com")).toEqual({
    code: 1,
    said: "There is no member nobody@example.com.\n",
  });
});
