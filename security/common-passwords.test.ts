import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { openBrowser, signUpIn } from "#server/testing/browser.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { tokenIn, waitForMail } from "#server/testing/inbox.ts";

const test = shopTest({ sandbox: true, worker: true });

describe("common passwords", () => {
  const common = "one of the passwords people use most";
  const siteWord = "little more than a word from this site";

  test.for([
    ["Password1!", common],
    ["P@ssw0rd", common],
    ["P@ssword1!", common],
    ["$Unshine1!", common],
    ["!L@ptop2026!", siteWord],
    ["Qwerty123!", common],
    ["!Abc123", common],
    ["Welcome1@", common],
    ["Secondlap#2026", siteWord],
  ] as const)(
    "sign-up rejects a common password that follows the password rules: %s",
    async ([password, reason], { shop }) => {
      const message = expect.stringContaining(reason);
      const browser = openBrowser(shop.url);
      const who = { name: "Ada", email: `${randomUUID()}@example.com`, password };
      const answer = await browser.post("/sign-up/email", who);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: "WEAK_PASSWORD", message });
      expect(await browser.user()).toBeUndefined();
    },
  );

  test("a password reset rejects a common password", async ({ shop }) => {
    const email = "common@example.com";
    const browser = await signUpIn(shop.url, email);
    await browser.post("/request-password-reset", { email });
    const token = tokenIn(await waitForMail(shop, email));
    const answer = await browser.post("/reset-password", { token, newPassword: "Password1!" });
    expect(answer.status).toBe(400);
    const message = expect.stringContaining(common);
    expect(await answer.json()).toMatchObject({ code: "WEAK_PASSWORD", message });
  });
});
