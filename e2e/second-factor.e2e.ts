import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import { readSecondFactors } from "#contract/account.ts";
import { secretIn, totp } from "#server/testing/totp.ts";
import { type Member, newCredentials, registerMember } from "./accounts.ts";
import { backdateSessions, changeDatabase } from "./database.ts";
import { fillLogin, navigateOnClient, signIn, signOut, test, toastOf } from "./fixtures.ts";
import { chooseAnother, openGoogle } from "./google.ts";

// Wrong codes, and calls that need confirmation first, get these statuses.
test.use({ expectedErrors: [/status of 40[013]/] });

const section = (page: Page, name: string) => page.getByRole("region", { name });

async function setUpApp(
  page: Page,
  { password }: { password?: string },
): Promise<{ secret: Buffer; codes: string[] }> {
  await section(page, "Two-step verification")
    .getByRole("button", { name: "Set up two-step verification" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Set up two-step verification" });
  if (password !== undefined) await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(
    dialog.getByRole("img", { name: "QR code for your authenticator app" }),
  ).toBeVisible();
  const key = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
  const secret = secretIn(`otpauth://totp/Secondlap?secret=${key}`);
  await enterCode(dialog, totp(secret), "Turn on");
  const list = dialog.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
  await expect(list).toHaveCount(10);
  return { secret, codes: await list.allTextContents() };
}

async function enterCode(within: Page | Locator, code: string, button: string): Promise<void> {
  await within.getByLabel(/^(Code|Backup code)$/).fill(code);
  await within.getByRole("button", { name: button, exact: true }).click();
}

async function logInAgain(page: Page, who: Member): Promise<void> {
  await signOut(page);
  await fillLogin(page, who);
}

test("§10.2: a member turns two-step verification on, logs in with a code and with a backup code, and turns it off", async ({
  page,
  buyer,
}) => {
  await signIn(page, buyer);
  await page.goto("/dashboard/profile");
  const { secret, codes } = await setUpApp(page, buyer);
  const dialog = page.getByRole("dialog");
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const saved = await readFile(await (await download).path(), "utf8");
  expect(saved).toBe(`${codes.join("\n")}\n`);
  await dialog.getByRole("button", { name: "I've saved them" }).click();
  await expect(section(page, "Two-step verification")).toContainText(
    "Whenever you log in without a passkey, we also ask for a code from an app on your phone.",
  );
  await expect(section(page, "Two-step verification")).toContainText(
    "Two-step verification is on.",
  );

  await logInAgain(page, buyer);
  await expect(
    page.getByRole("heading", { level: 1, name: "Two-step verification" }),
  ).toBeVisible();
  const field = page.getByLabel("Code", { exact: true });
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  await expect(field).toHaveAttribute("inputmode", "numeric");
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login\?from=/);
  await fillLogin(page, buyer);
  await enterCode(page, "12345", "Log in");
  await expect(page.getByText("Enter the six-digit code from your app.")).toBeVisible();
  await enterCode(page, "000000", "Log in");
  await expect(
    page.getByText("That code isn't right. Check it, or wait for the next one."),
  ).toBeVisible();
  // Enters the next code, because each code works only once.
  await enterCode(page, totp(secret, { steps: 1 }), "Log in");
  await expect(toastOf(page, "Login Successful.")).toBeVisible();
  await expect(page).toHaveURL("/dashboard");

  await logInAgain(page, buyer);
  await page.getByRole("button", { name: "Use a backup code" }).click();
  await enterCode(page, codes[0] ?? "", "Log in");
  await expect(toastOf(page, "Login Successful.")).toBeVisible();

  await navigateOnClient(page, "/dashboard/profile");
  await section(page, "Two-step verification").getByRole("button", { name: "Turn off" }).click();
  await dialog.getByLabel("Password").fill(buyer.password);
  await enterCode(dialog, codes[1] ?? "", "Turn off");
  await expect(toastOf(page, "Two-step verification is off.")).toBeVisible();
  await logInAgain(page, buyer);
  await expect(toastOf(page, "Login Successful.")).toBeVisible();

  await test.step("the code form, opened without a pending login, asks the member to log in again", async () => {
    await signOut(page);
    await navigateOnClient(page, "/login?step=code");
    await enterCode(page, "123456", "Log in");
    await expect(page.getByText("Your login has expired. Log in again.")).toBeVisible();
    await page.getByRole("link", { name: "Back to Login" }).click();
    await expect(page).toHaveURL("/login");
  });
});

test("a member who signs in with Google confirms a sensitive action with Google and a code", async ({
  page,
}) => {
  const who = newCredentials("Gina");
  await page.goto("/login");
  await chooseAnother(await openGoogle(page), who);
  await expect(toastOf(page, "Login Successful.")).toBeVisible();
  await navigateOnClient(page, "/dashboard/profile");
  const { secret } = await setUpApp(page, {});
  await page.getByRole("dialog").getByRole("button", { name: "I've saved them" }).click();
  await backdateSessions(who);

  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog", { name: "Confirm it's you" })).toBeVisible();
  await chooseAnother(await openGoogle(page), who);
  await enterCode(page, totp(secret, { steps: 1 }), "Continue");
  await expect(page.getByRole("heading", { name: "Your account has been deleted" })).toBeVisible();
});

test("§10.2: a member adds a passkey, signs out, and logs in with the passkey", async ({
  page,
  baseURL,
}) => {
  // Passkeys need a host name, not an IP address.
  const site = String(baseURL).replace("127.0.0.1", "localhost");
  const member = await registerMember(site, "buyer");
  await page.context().addCookies([{ ...member.cookie, url: site }]);
  await addAuthenticator(page);
  await page.goto(`${site}/dashboard/profile`);
  const passkeys = section(page, "Passkeys");
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill("My laptop");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toastOf(page, "Passkey added.")).toBeVisible();
  await expect(passkeys.getByRole("listitem")).toContainText("My laptop");

  await signOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(toastOf(page, "Login Successful.")).toBeVisible();

  await navigateOnClient(page, "/dashboard/profile");
  await passkeys.getByRole("button", { name: "Remove My laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(passkeys).toContainText("You don't have any passkeys yet.");
  await signOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(
    page.getByText("This passkey was removed from your account. Log in another way."),
  ).toBeVisible();
});

/** Adds a virtual authenticator that always verifies its user. */
async function addAuthenticator(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

test("an admin who needs a second factor is sent to Profile, and can open Overview after setting it up", async ({
  page,
  buyer: admin,
}) => {
  const owner = { staff_role: "owner" } as const;
  await changeDatabase((tx) =>
    tx.updateTable("members").set(owner).where("email", "=", admin.email).execute(),
  );
  // Simulates a server with ADMIN_SECOND_FACTOR=required.
  await page.route(`**/api${readSecondFactors.path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), required: true } });
  });
  await signIn(page, admin);
  await page.goto("/dashboard/overview");
  await expect(page).toHaveURL("/dashboard/profile");
  await expect(
    page.getByText("To use the admin pages, set up two-step verification or a passkey."),
  ).toBeVisible();
  const { secret } = await setUpApp(page, admin);
  await page.getByRole("button", { name: "I've saved them" }).click();
  await logInAgain(page, admin);
  await enterCode(page, totp(secret, { steps: 1 }), "Log in");
  await expect(toastOf(page, "Login Successful.")).toBeVisible();
  await navigateOnClient(page, "/dashboard/overview");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});
