import { describe, expect } from "vitest";
import {
  confirmPassword,
  deleteAccount,
  endOtherSessions,
  endSession,
  listSessions,
} from "#contract/account.ts";
import { listAuditLog } from "#contract/audit.ts";
import { send } from "#contract/client.ts";
import { updateSessions } from "../../adapters/identity/testing.ts";
import { connect, logIn, password, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { errorOf, member } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

async function signedIn(shop: Shop, email: string, minutesAgo: number) {
  const here = await signUpAt(shop.url, email, "buyer");
  const { browser } = await logIn(shop.url, email);
  const elsewhere = await connect(browser, email);
  const createdAt = new Date(shop.clock.now().getTime() - minutesAgo * 60_000);
  await updateSessions(shop.deps.db, { createdAt }, email);
  return { here, elsewhere };
}

describe("ten minutes after signing in", () => {
  test("§10.6: ten minutes after signing in, ending sessions or deleting the account requires the password", async ({
    shop,
  }) => {
    const { here, elsewhere } = await signedIn(shop, "ada@example.com", 11);
    const sessions = async () => (await send(here, listSessions, {})).body;
    const [, other] = await sessions();
    const params = { id: other?._id ?? "" };
    for (const asked of [
      () => send(here, endSession, { params }),
      () => send(here, endOtherSessions, {}),
      () => send(here, deleteAccount, {}),
    ])
      expect(await errorOf(asked())).toMatchObject({
        status: 403,
        code: "CONFIRM_PASSWORD",
        message: "Enter your password to confirm that it is you.",
      });
    expect(await sessions()).toHaveLength(2);

    const wrong = send(here, confirmPassword, { body: { password: "Wrong#2026" } });
    expect(await errorOf(wrong)).toMatchObject({ status: 403, code: "WRONG_PASSWORD" });
    expect(await errorOf(send(here, endOtherSessions, {}))).toMatchObject({ status: 403 });

    await send(here, confirmPassword, { body: { password } });
    // The password confirms only the session in which it was entered.
    expect(await errorOf(send(elsewhere, deleteAccount, {}))).toMatchObject({ status: 403 });
    expect((await send(here, endOtherSessions, {})).body.deletedCount).toBe(1);
    expect((await send(here, deleteAccount, {})).status).toBe(200);
  });

  test("after the password is confirmed, a retry with the same Idempotency-Key succeeds", async ({
    shop,
  }) => {
    const { here } = await signedIn(shop, "dora@example.com", 11);
    const end = () => send({ ...here, key: "once" }, endOtherSessions, {});
    expect(await errorOf(end())).toMatchObject({ code: "CONFIRM_PASSWORD" });
    await send(here, confirmPassword, { body: { password } });
    expect((await end()).body.deletedCount).toBe(1);
    expect((await end()).body.deletedCount).toBe(1);
  });

  test("a password confirmation is recorded in the audit log and expires after ten minutes", async ({
    shop,
  }) => {
    const { here } = await signedIn(shop, "bea@example.com", 11);
    await send(here, confirmPassword, { body: { password } });
    const admin = await member(shop, { isAdmin: true });
    const [entry] = await admin.call(listAuditLog, { query: { email: "bea@example.com" } });
    expect(entry).toMatchObject({ verb: "confirm password" });
    shop.clock.advance(11);
    expect(await errorOf(send(here, endOtherSessions, {}))).toMatchObject({ status: 403 });
  });

  test("a member without a password must confirm with their sign-in provider before deleting their account", async ({
    shop,
  }) => {
    const someone = await member(shop);
    shop.clock.advance(11);
    expect(await errorOf(someone.call(deleteAccount, {}))).toMatchObject({
      status: 403,
      code: "CONFIRM_PROVIDER",
      message: "Continue with your sign-in provider again to confirm that it is you.",
    });
    const guess = someone.call(confirmPassword, { body: { password } });
    expect(await errorOf(guess)).toMatchObject({ code: "WRONG_PASSWORD" });
  });
});

test("ending sessions needs no password within ten minutes of signing in", async ({ shop }) => {
  const { here } = await signedIn(shop, "cleo@example.com", 9);
  expect((await send(here, endOtherSessions, {})).body.deletedCount).toBe(1);
});
