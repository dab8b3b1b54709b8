import { describe, expect } from "vitest";
import { readSecondFactors } from "#contract/account.ts";
import { send } from "#contract/client.ts";
import { isAdmin, listBuyers } from "#contract/members.ts";
import { deleteProduct } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";
import { totp } from "../../testing/totp.ts";
import { connect, createAdmin, logIn, signUpWithApp } from "../../testing/two-factor.ts";

const test = shopTest({
  sandbox: true,
  env: { RATE_LIMIT: "on", ADMIN_SECOND_FACTOR: "required" },
});

describe("an admin of a shop that requires second factors", () => {
  test("an admin without a second factor can't act as an admin, and the error explains where to set up a second factor", async ({
    shop,
  }) => {
    const [seller, admin] = [
      await member(shop, { accountType: "seller" }),
      await createAdmin(shop, { secondFactor: false }),
    ];
    const id = await listing(seller);
    const required = {
      status: 403,
      code: "SECOND_FACTOR_REQUIRED",
      message: "Admins need two-step verification. Set it up under Profile, then log in with it.",
    };
    expect(await errorOf(admin.call(listBuyers, {}))).toMatchObject(required);
    expect(await errorOf(admin.call(isAdmin, { params: { email: seller.email } }))).toMatchObject(
      required,
    );
    expect(await errorOf(admin.call(deleteProduct, { params: { id } }))).toMatchObject({
      status: 404,
    });
    expect(await admin.call(isAdmin, { params: { email: admin.email } })).toEqual({
      isAdmin: true,
    });
    expect(await admin.call(readSecondFactors, {})).toMatchObject({ required: true, shown: false });
  });

  test("an admin with a second factor can act as an admin", async ({ shop }) => {
    const [seller, admin] = [
      await member(shop, { accountType: "seller" }),
      await createAdmin(shop),
    ];
    const id = await listing(seller);
    expect(await admin.call(listBuyers, {})).toBeInstanceOf(Array);
    await admin.call(deleteProduct, { params: { id } });
  });

  test("an admin can act right after turning on two-step verification, and after signing in with a code", async ({
    shop,
  }) => {
    const { email, browser, secret } = await signUpWithApp(shop.url, "karla@example.com");
    await shop.deps.db
      .updateTable("members")
      .set({ staff_role: "owner" })
      .where("email", "=", email)
      .execute();
    await send(await connect(browser, email), listBuyers, {});
    const { browser: later } = await logIn(shop.url, email);
    await later.post("/two-factor/verify-totp", { code: totp(secret) });
    await send(await connect(later, email), listBuyers, {});
  });
});
