import { expect, type Page } from "@playwright/test";
import { demoAccounts, newCredentials } from "./accounts.ts";
import { expectRefusal, fillLogin, signOut, test, toastOf } from "./fixtures.ts";
import { chooseAnother, continueButton, openGoogle } from "./google.ts";

const unreachable =
  "We can't reach Google right now. Try again in a minute, or log in with your email.";
const refusals = [
  [503, { code: "UNAVAILABLE", message: unreachable }, unreachable],
  [
    429,
    {
      code: "TOO_MANY_REQUESTS",
      message: "Too many attempts. Please wait 40 seconds and try again.",
    },
    "Too many attempts. Please wait 40 seconds and try again.",
  ],
  [
    500,
    { code: "FAILED_TO_CREATE_VERIFICATION", message: "Unable to create verification" },
    "Something went wrong. Please try again in a minute.",
  ],
] as const;

test.describe("Continue with Google", () => {
  test.use({ expectedErrors: [/status of (429|500|503)/] });

  test("§6.7 §7.5: Continue with Google registers a new visitor as a buyer and returns to the previous page", async ({
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

    await test.step("§6.7: if the browser blocks the popup, Google opens in the same tab and returns to the previous page", async () => {
      await page.goto("about:blank");
      await page.context().clearCookies();
      await page.addInitScript("window.open = () => null");
      await page.goto("/dashboard?sort=price");
      await continueButton(page).click();
      await expectRefusal(page, "Your browser blocked the Google window.");
      await page.getByRole("button", { name: "Open Google in this tab" }).click();
      await chooseAnother(page, newCredentials("Gina"));
      await expect(toastOf(page, "Login Successful.")).toBeVisible();
      await expect(page).toHaveURL("/dashboard?sort=price");
    });
  });

  test("§6.7 §2.3.5: Sign up says that Google registers only buyers, and a seller who signs in with Google stays a seller", async ({
    page,
  }) => {
    await page.goto("/signup");
    await page.getByLabel("Account Type").selectOption("Seller");
    await expect(
      page.getByText(
        "With Google you join as a buyer, whatever you chose above. You can start selling later in your Profile.",
      ),
    ).toBeVisible();
    const google = await openGoogle(page);
    await google.getByRole("button", { name: demoAccounts.seller.email }).click();
    await expect(page).toHaveURL("/");
    await page.getByRole("link", { name: "Dashboard" }).click();
    await expect(page).toHaveURL("/dashboard/addProduct");
  });

  test("§6.7: a failed Google sign-in shows the reason, and the visitor can try again or log in by password", async ({
    page,
    buyer,
  }) => {
    await page.goto("/auth/done?error=state_mismatch");
    await expectRefusal(page, "We couldn't sign you in with Google. Please try again.");
    await page.getByRole("link", { name: "Go to Login" }).click();
    await expect(page).toHaveURL("/login");

    await test.step("closing Google's window shows no message", async () => {
      const google = await openGoogle(page);
      const looked = page.waitForResponse("**/api/auth/get-session");
      await google.close();
      await looked;
      await expectNothingSaid(page);
    });

    await test.step("the visitor cancels at Google", async () => {
      const google = await openGoogle(page);
      await google.getByRole("button", { name: "Cancel" }).click();
      await expect.poll(() => google.isClosed()).toBe(true);
      await expectRefusal(
        page,
        "Google sign-in was canceled. Try again, or log in with your email and password.",
      );
    });

    await test.step("the email address has an unconfirmed account with a password", async () => {
      await chooseAnother(await openGoogle(page), buyer);
      await expectRefusal(
        page,
        "You already have an account with this email and a password. Log in with your password, or set a new one with Forget Password? After that, you can use Google too.",
      );
    });

    await test.step("Google has not verified the email address", async () => {
      await chooseAnother(await openGoogle(page), newCredentials("Gina"), { verified: false });
      await expectRefusal(
        page,
        "Google hasn't verified this email address yet. Verify it with Google, or sign up with a password.",
      );
    });

    await test.step("a Google outage, too many attempts and any other error each show their own message", async () => {
      for (const [status, json, words] of refusals) {
        await page.route("**/api/auth/sign-in/social", (route) => route.fulfill({ status, json }));
        await continueButton(page).click();
        await expectRefusal(page, words);
        await expect.poll(() => page.context().pages().length).toBe(1);
      }
      await page.unrouteAll();
    });

    await chooseAnother(await openGoogle(page), newCredentials("Gina"));
    await expect(toastOf(page, "Login Successful.")).toHaveCount(1);
    await test.step("a visitor who closes Google's window logs in by password", async () => {
      await signOut(page);
      await (await openGoogle(page)).close();
      await fillLogin(page, buyer);
      await expect(toastOf(page, "Login Successful.")).toHaveCount(1);
    });
  });
});

async function expectNothingSaid(page: Page): Promise<void> {
  await expect(continueButton(page)).toBeEnabled();
  await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toHaveCount(0);
  await expect(toastOf(page, /./)).toHaveCount(0);
}
