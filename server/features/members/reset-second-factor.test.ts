import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { openBrowser, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { member } from "../../testing/people.ts";
import { run, waitForExit } from "../../testing/program.ts";
import type { Shop } from "../../testing/shop.ts";
import { signUpWithApp } from "../../testing/two-factor.ts";
import { resetSecondFactor } from "./reset-second-factor.ts";

const test = shopTest();

const password = "Secret#2026";

const runReset = (shop: Shop, email: string) =>
  waitForExit(
    run({ DATABASE_URL: shop.databaseUrl }, ["server/cli/admin.ts", "reset-second-factor", email]),
  );

test("resetting a lost second factor lets the member log in with the password alone and ends all sessions", async ({
  shop,
}) => {
  const { email, browser: signedIn } = await signUpWithApp(shop.url, "ada@example.com");
  const logIn = async () => {
    const browser = openBrowser(shop.url);
    await browser.post("/sign-in/email", { email, password });
    return await browser.user();
  };
  expect(await signedIn.user()).toMatchObject({ email });
  expect(await logIn()).toBeUndefined();

  const { code, said } = await runReset(shop, email);
  expect([code, said]).toEqual([
    0,
    `Grace Hopper (${email}) can log in with the password alone, and is signed out everywhere.\n`,
  ]);
  expect(await signedIn.user()).toBeUndefined();
  expect(await logIn()).toMatchObject({ email });
  const admin = await member(shop, { isAdmin: true });
  const [entry] = await admin.call(listAuditLog, { query: { email } });
  expect(entry).toMatchObject({ verb: "reset second factor", actor: null });
});

test("resetting a second factor fails with a reason if the member is unknown or has no second factor", async ({
  shop,
}) => {
  const email = "bea@example.com";
  await signUpAt(shop.url, email, "buyer");
  await expect(resetSecondFactor(shop.deps, email)).rejects.toThrow(
    `Grace Hopper (${email}) has no second factor.`,
  );
  expect(await runReset(shop, "nobody@example.com")).toEqual({
    code: 1,
    said: "There is no member nobody@example.com.\n",
  });
});
