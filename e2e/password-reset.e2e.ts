import { expect, type Page } from "@playwright/test";
import { type Credentials, newCredentials } from "./accounts.ts";
import { expectRefusal, fillLogin, loadUntil, test, toastOf } from "./fixtures.ts";

test.describe("Forget Password?", () => {
  test.use({ expectedErrors: [/status of 400.*reset-password/] });

  const chosen = "Another#2027";

  test("§2.3.4 §10.4: Forget Password? emails a link that can set a new password only once", async ({
    page,
    buyer,
  }) => {
    await test.step("§2.3.4 §10.4: an incomplete reset link leads to Forget Password?, which doesn't reveal that an address is unknown", async () => {
      const { email } = newCredentials("Nobody");
      await page.goto("/reset-password");
      await expectRefusal(
        page,
        "This link is incomplete. Open the full link from the email, or request a new one.",
      );
      await page.getByRole("link", { name: "Request a new link" }).click();
      await expect(page).toHaveURL("/forgot-password");
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Email me a link" }).click();
      await expect(page.getByRole("status").filter({ hasText: email })).toContainText(
        `If there is an account for ${email}, we've emailed you a link.`,
      );
    });

    await page.goto("/login");
    await page.getByLabel("Email").fill(buyer.email);
    await page.getByRole("link", { name: "Forget Password?" }).click();
    await expect(page).toHaveURL("/forgot-password");
    const link = await linkByMail(page, buyer);

    await page.goto(link);
    await expect(page).toHaveURL("/reset-password");
    await setPassword(page, "weakling");
    await expect(page.getByLabel("New Password")).toHaveAccessibleDescription(
      "Password must be strong.",
    );
    await setPassword(page, chosen);
    await expect(
      toastOf(page, "Your password has been changed. Log in with the new one."),
    ).toBeVisible();
    await expect(page).toHaveURL("/login");
    await fillLogin(page, { ...buyer, password: chosen });
    await expect(toastOf(page, "Login Successful.")).toBeVisible();

    await page.goto(link);
    await setPassword(page, "Third#2028");
    await expectRefusal(
      page,
      "This link has already been used or is more than an hour old. Request a new one.",
    );
    await page.getByRole("link", { name: "Request a new link" }).click();
    await expect(page).toHaveURL("/forgot-password");
  });

  test("§2.3.4: resetting the password from the profile also ends this browser's session", async ({
    buyerPage: page,
    buyer,
  }) => {
    await page.goto("/dashboard/profile");
    await page.getByRole("link", { name: "Set a new password" }).click();
    await page.goto(await linkByMail(page, buyer));
    const signOut = page.getByRole("button", { name: "Sign Out" });
    // Waits, because a session request still in flight would fail after the reset.
    await expect(signOut).toBeVisible();
    await setPassword(page, chosen);
    await expect(page).toHaveURL("/login");
    await expect(signOut).toHaveCount(0);
    await page.goto("/dashboard");
    await expect(page).toHaveURL("/login?from=%2Fdashboard");
  });
});

/** Submits the open form and returns the link from the demo inbox. */
async function linkByMail(page: Page, { email }: Credentials): Promise<string> {
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  const [inbox] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "open the demo inbox" }).click(),
  ]);
  const mails = inbox.getByRole("listitem").filter({ hasText: email });
  const mail = mails.filter({ hasText: "Set a new password" });
  await loadUntil(
    () => inbox.getByRole("link", { name: "Look again" }).click(),
    (patience) => expect(mail).toBeVisible(patience),
  );
  await mail.getByRole("link").click();
  const link = inbox.getByRole("link", { name: /\/reset-password\?token=/ });
  const address = await link.getAttribute("href");
  await inbox.close();
  return String(address);
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("New Password").fill(password);
  await page.getByRole("button", { name: "Save password" }).click();
}
