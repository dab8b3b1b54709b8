import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, signUpIn } from "#server/testing/browser.ts";
import { tokenIn, waitForMail } from "#server/testing/inbox.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ sandbox: true, worker: true });
});
afterAll(() => shop.close());

describe("a common password", () => {
  const message = expect.stringContaining("one of the passwords people use most");

  test.each(["Password1!", "P@ssw0rd", "Qwerty123!", "!Abc123", "Welcome1@", "Secondlap#2026"])(
    "is refused at sign-up even if it follows the rules: %s",
    async (password) => {
      const browser = openBrowser(shop.url);
      const who = { name: "Ada", email: `${randomUUID()}@example.com`, password };
      const answer = await browser.post("/sign-up/email", who);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: "WEAK_PASSWORD", message });
      expect(await browser.user()).toBeUndefined();
    },
  );

  test("is refused in a reset too", async () => {
    const email = "common@example.com";
    const browser = await signUpIn(shop.url, email);
    await browser.post("/request-password-reset", { email });
    const token = tokenIn(await waitForMail(shop, email));
    const answer = await browser.post("/reset-password", { token, newPassword: "Password1!" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "WEAK_PASSWORD", message });
  });
});
