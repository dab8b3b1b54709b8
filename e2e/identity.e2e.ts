import { expect, type Page } from "@playwright/test";
import { type Credentials, demoAccounts, newCredentials } from "./accounts.ts";
import { fillLogin, signIn, test, toastOf } from "./fixtures.ts";

test.describe("Continue with Google", () => {
  test("§6.7 §7.5: registers a new visitor as a buyer and returns to the page before", async ({
    page,
  }) => {
    await page.goto("/dashboard?sort=price");
    const google = await openGoogle(page);
    const gina = newCredentials("Gina");
    const sent = page
      .context()
      .waitForEvent("request", (request) =>
        /^PUT .*\/api\/users$/.test(`${request.method()} ${request.url()}`),
      );
    await chooseAnother(google, gina);
    await expect(toastOf(page, "Login Successful.")).toBeVisible();
    await expect(page).toHaveURL("/dashboard?sort=price");
    await expect(page.getByRole("heading", { level: 1, name: "My Orders" })).toBeVisible();
    const { name, email } = gina;
    const joining = await sent;
    expect(joining.postDataJSON()).toEqual({ name, email, accountType: "buyer" });
    await expect.poll(() => google.isClosed()).toBe(true);
  });

  test("§6.7 §2.3.5: sign-up says that Google registers buyers only, also when Seller is chosen", async ({
    page,
  }) => {
    await page.goto("/signup");
    await page.getByLabel("Account Type").selectOption("Seller");
    await expect(page.getByText("With Google you join as a buyer")).toBeVisible();
  });

  test("§6.7: does not change a seller's account type", async ({ page }) => {
    await page.goto("/signup");
    const google = await openGoogle(page);
    await google.getByRole("button", { name: demoAccounts.seller.email }).click();
    await expect(page).toHaveURL("/");
    await page.getByRole("link", { name: "Dashboard" }).click();
    await expect(page).toHaveURL("/dashboard/addProduct");
  });

  test("§6.7: says why it did not work, under the form, and works the next time", async ({
    page,
    buyer,
  }) => {
    await page.goto("/login");

    await test.step("Google's window was closed: no message", async () => {
      const google = await openGoogle(page);
      const looked = page.waitForResponse("**/api/auth/get-session");
      await google.close();
      await looked;
      await expectNothingSaid(page);
    });

    await test.step("cancelled at Google", async () => {
      const google = await openGoogle(page);
      await google.getByRole("button", { name: "Cancel" }).click();
      await expect.poll(() => google.isClosed()).toBe(true);
      await expectRefusal(
        page,
        "Google sign-in was cancelled. Try again, or log in with your email and password.",
      );
    });

    await test.step("the address has an account with a password, and was never confirmed", async () => {
      await chooseAnother(await openGoogle(page), buyer);
      await expectRefusal(
        page,
        "You already have an account with this email and a password. Log in with your password, or set a new one with Forget Password? After that, you can use Google too.",
      );
    });

    await test.step("Google has not verified the address", async () => {
      await chooseAnother(await openGoogle(page), newCredentials("Gina"), { verified: false });
      await expectRefusal(
        page,
        "Google hasn't verified this email address yet. Verify it with Google, or sign up with a password.",
      );
    });

    await chooseAnother(await openGoogle(page), newCredentials("Gina"));
    await expect(toastOf(page, "Login Successful.")).toHaveCount(1);
  });

  test("§6.7: after Google's window was closed the login form works", async ({ page, buyer }) => {
    await page.goto("/login");
    await (await openGoogle(page)).close();
    await fillLogin(page, buyer);
    await expect(toastOf(page, "Login Successful.")).toHaveCount(1);
  });

  test("§6.7: a wrong state parameter shows an error", async ({ page }) => {
    await page.goto("/auth/done?error=state_mismatch");
    await expectRefusal(page, "We couldn't sign you in with Google. Please try again.");
    await page.getByRole("link", { name: "Go to Login" }).click();
    await expect(page).toHaveURL("/login");
  });

  test("§6.7: a blocked popup offers to continue in the same tab, and returns to the page before", async ({
    page,
  }) => {
    await page.addInitScript("window.open = () => null");
    await page.goto("/dashboard?sort=price");
    await continueButton(page).click();
    await expectRefusal(page, "Your browser blocked the Google window.");
    await page.getByRole("button", { name: "Open Google in this tab" }).click();
    await chooseAnother(page, newCredentials("Gina"));
    await expect(toastOf(page, "Login Successful.")).toBeVisible();
    await expect(page).toHaveURL("/dashboard?sort=price");
  });

  test.describe("when starting it is refused", () => {
    test.use({ expectedErrors: [/status of (404|429|500)/] });

    const refusals = [
      [
        404,
        { code: "PROVIDER_NOT_FOUND", message: "Provider not found" },
        "We can't reach Google right now. Try again in a minute, or log in with your email.",
      ],
      [
        429,
        {
          code: "TOO_MANY_REQUESTS",
          message: "That was too often. Please wait 40 seconds and try again.",
        },
        "That was too often. Please wait 40 seconds and try again.",
      ],
      [
        500,
        { code: "FAILED_TO_CREATE_VERIFICATION", message: "Unable to create verification" },
        "Something went wrong. Please try again in a minute.",
      ],
    ] as const;

    test("§6.7: says whether Google is unavailable, there were too many tries, or it failed", async ({
      page,
    }) => {
      await page.goto("/login");
      for (const [status, json, words] of refusals) {
        await page.route("**/api/auth/sign-in/social", (route) => route.fulfill({ status, json }));
        await continueButton(page).click();
        await expectRefusal(page, words);
        await expect.poll(() => page.context().pages().length).toBe(1);
      }
    });
  });
});

test.describe("Forget Password?", () => {
  // The browser logs the refusal of a used link.
  test.use({ expectedErrors: [/status of 400.*reset-password/] });

  const chosen = "Another#2027";

  test("§2.3.4 §10.4: sends a link that sets a new password once", async ({ page, buyer }) => {
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

  test("§2.3.4: resetting it from the profile ends this browser's session too", async ({
    page,
    buyer,
  }) => {
    await signIn(page, buyer);
    await page.goto("/dashboard/profile");
    await page.getByRole("link", { name: "Set a new password" }).click();
    await page.goto(await linkByMail(page, buyer));
    await setPassword(page, chosen);
    await expect(page).toHaveURL("/login");
    await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
    await page.goto("/dashboard");
    await expect(page).toHaveURL("/login?from=%2Fdashboard");
  });

  test("§2.3.4 §10.4: gives the same answer for an unknown address", async ({ page }) => {
    const { email } = newCredentials("Nobody");
    await page.goto("/forgot-password");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect(page.getByRole("status").filter({ hasText: email })).toContainText(
      `If there is an account for ${email}, a mail with a link is on its way.`,
    );
  });

  test("§2.3.4: an incomplete link offers to send a new one", async ({ page }) => {
    await page.goto("/reset-password");
    await expectRefusal(
      page,
      "This link is incomplete. Open the full link from the email, or request a new one.",
    );
    await page.getByRole("link", { name: "Request a new link" }).click();
    await expect(page).toHaveURL("/forgot-password");
  });
});

function continueButton(page: Page) {
  return page.getByRole("button", { name: "Continue with Google" });
}

/** Presses the button; returns the popup once Google's page has loaded. */
async function openGoogle(page: Page): Promise<Page> {
  const [google] = await Promise.all([page.waitForEvent("popup"), continueButton(page).click()]);
  await google.waitForURL(/\/google\//);
  return google;
}

/** Signs in at Google with an account it does not list. */
async function chooseAnother(
  google: Page,
  { name, email }: Credentials,
  { verified = true } = {},
): Promise<void> {
  await google.getByText("Use another account").click();
  await google.getByLabel("Name").fill(name);
  await google.getByLabel("Email").fill(email);
  await google.getByLabel("Google has verified this address").setChecked(verified);
  await google.getByRole("button", { name: "Continue" }).click();
}

async function expectRefusal(page: Page, words: string): Promise<void> {
  await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toHaveText(words);
}

/** Expects no message, and a usable form. */
async function expectNothingSaid(page: Page): Promise<void> {
  await expect(continueButton(page)).toBeEnabled();
  await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toHaveCount(0);
  await expect(toastOf(page, /./)).toHaveCount(0);
}

/** Submits the open form, finds the email in the demo inbox, and returns its link. */
async function linkByMail(page: Page, { email }: Credentials): Promise<string> {
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  const [inbox] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "open the demo inbox" }).click(),
  ]);
  const mails = inbox.getByRole("listitem").filter({ hasText: email });
  const mail = mails.filter({ hasText: "Set a new password" });
  await expect(async () => {
    await inbox.getByRole("link", { name: "Look again" }).click();
    await expect(mail).toBeVisible({ timeout: 2_000 });
  }).toPass();
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
