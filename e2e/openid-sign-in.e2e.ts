import { expect, type Page } from "@playwright/test";
import { type OidcProvider, openOidcProvider } from "#server/testing/oidc-provider.ts";
import { freePorts } from "#server/testing/program.ts";
import { newCredentials } from "./accounts.ts";
import { test as base, expectRefusal, navigateOnClient, toastOf } from "./fixtures.ts";

type Fixtures = { ports: Awaited<ReturnType<typeof freePorts>>; provider: OidcProvider };

const test = base.extend<Fixtures>({
  ports: async ({ playwright: _ }, use) => use(await freePorts()),
  provider: async ({ ports }, use) => {
    const provider = await openOidcProvider(`http://127.0.0.1:${ports.PORT}`);
    await use(provider);
    await provider.close();
  },
  serverSettings: async ({ ports, provider }, use) => use({ ...ports, ...provider.settings }),
  expectedErrors: [/status of 503/],
});

test("a visitor signs in with the configured OpenID provider in a popup, or in the same tab if the browser blocks popups", async ({
  page,
  ownServer,
  provider,
}) => {
  await page.goto(`${ownServer.url}/signup`);
  await expect(page.getByText("With Google or Acme you join as a buyer")).toBeVisible();
  await page.goto(`${ownServer.url}/login`);
  await page.getByLabel("Email").fill("typed@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Typed#2026");

  await test.step("the provider can't be reached", async () => {
    provider.setOutage(({ socket }) => socket.destroy() !== undefined);
    await continueButton(page).click();
    await expectRefusal(
      page,
      "We can't reach Acme right now. Try again in a minute, or log in with your email.",
    );
    await expect.poll(() => page.context().pages().length).toBe(1);
    await expect(page.getByLabel("Email")).toHaveValue("typed@example.com");
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("Typed#2026");
    provider.setOutage();
  });

  await test.step("the visitor cancels at the provider", async () => {
    const popup = await openProvider(page);
    await popup.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => popup.isClosed()).toBe(true);
    await expectRefusal(
      page,
      "Acme sign-in was canceled. Try again, or log in with your email and password.",
    );
  });

  const vera = newCredentials("Vera");
  await test.step("the provider has not verified the email address", async () => {
    await chooseAccount(await openProvider(page), vera, { verified: false });
    await expectRefusal(
      page,
      "Acme hasn't verified this email address yet. Verify it with Acme, or sign up with a password.",
    );
    await expect(page.getByLabel("Email")).toHaveValue("typed@example.com");
  });

  await chooseAccount(await openProvider(page), vera);
  await expect(toastOf(page, "Login Successful.")).toBeVisible();
  await expect(page).toHaveURL(`${ownServer.url}/`);
  await navigateOnClient(page, "/dashboard/profile");
  await expect(page.getByLabel("Name")).toHaveValue(vera.name);

  await test.step("the browser blocks the popup", async () => {
    await page.context().clearCookies();
    await page.addInitScript("window.open = () => null");
    await page.goto(`${ownServer.url}/dashboard?sort=price`);
    await continueButton(page).click();
    await expectRefusal(page, "Your browser blocked the Acme window.");
    await page.getByRole("button", { name: "Open Acme in this tab" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expectRefusal(
      page,
      "Acme sign-in was canceled. Try again, or log in with your email and password.",
    );
    await page.getByRole("link", { name: "Go to Login" }).click();
    await continueButton(page).click();
    await page.getByRole("button", { name: "Open Acme in this tab" }).click();
    await chooseAccount(page, newCredentials("Vera"));
    await expect(toastOf(page, "Login Successful.")).toBeVisible();
    await expect(page).toHaveURL(`${ownServer.url}/dashboard?sort=price`);
  });
});

function continueButton(page: Page) {
  return page.getByRole("button", { name: "Continue with Acme" });
}

async function openProvider(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), continueButton(page).click()]);
  await popup.waitForURL(/\/interaction\//);
  return popup;
}

async function chooseAccount(
  popup: Page,
  { name, email }: { name: string; email: string },
  { verified = true } = {},
): Promise<void> {
  await popup.getByLabel("User").fill(email);
  await popup.getByLabel("Name").fill(name);
  await popup.getByLabel("Email", { exact: true }).fill(email);
  await popup.getByLabel("Email is verified").setChecked(verified);
  await popup.getByRole("button", { name: "Continue" }).click();
}
