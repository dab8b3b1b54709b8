import { expect, type Page } from "@playwright/test";
import { type Credentials, newCredentials, randomWord } from "./accounts.ts";
import { fillProduct } from "./add-product-form.ts";
import { emulator, project, test } from "./firebase.ts";
import {
  cardOf,
  expectRefusal,
  fillCard,
  fillLogin,
  fillSignUp,
  logIn,
  rowOf,
  signOut,
  signUp,
  submitBooking,
  toastOf,
} from "./fixtures.ts";

test("with Firebase, a seller signs up and lists a laptop, and a buyer continues with Google, books and pays", async ({
  page,
}) => {
  const [selma, gina] = [newCredentials("Selma"), newCredentials("Gina")];
  const product_name = `Framework ${randomWord()}`;
  await signUp(page, selma, "Seller");
  await page.getByRole("link", { name: "Dashboard" }).click();
  await page.getByRole("link", { name: "Show all on one page" }).click();
  await fillProduct(page, product_name);
  await page.getByRole("main").getByRole("button", { name: "Add Product" }).click();
  await expect(toastOf(page, `Product ${product_name} is added successfully`)).toBeVisible();
  await signOut(page);

  await page.goto("/login");
  await continueWithGoogle(page, gina);
  await expect(toastOf(page, "Login Successful.")).toBeVisible();
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Framework", exact: true }).click();
  await cardOf(page, { product_name }).getByRole("button", { name: "Book Now" }).click();
  await submitBooking(page);
  await expect(page.getByText("Booking confirmed.")).toBeVisible();
  await rowOf(page, product_name).getByRole("link", { name: "Pay" }).click();
  await fillCard(page, "4242 4242 4242 4242");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(page.getByText("Congrats! your payment completed")).toBeVisible();
});

test("with Firebase, a failed login or sign-up shows the same message as with the embedded identity service", async ({
  page,
}) => {
  const ada = newCredentials("Ada");
  await signUp(page, ada, "Buyer");
  await signOut(page);
  await page.goto("/login");
  await fillLogin(page, { ...ada, password: "Wrong#2026" });
  await expectRefusal(page, "That email and password don't match. Check both and try again.");
  await page.goto("/signup");
  await fillSignUp(page, ada, "Buyer");
  await expectRefusal(page, "An account with this email already exists. Log in instead.");
  await page.goto("/login?from=/dashboard/profile");
  const popup = await openGoogle(page);
  await popup.close();
  await expect(page.getByRole("button", { name: "Continue with Google" })).toBeEnabled();
  await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toHaveCount(0);
  await fillLogin(page, ada);
  await expect(page).toHaveURL("/dashboard/profile");
});

test("resetting a password through Firebase ends the other sessions", async ({
  page,
  otherPage: elsewhere,
}) => {
  const ada = newCredentials("Ada");
  await signUp(page, ada, "Buyer");
  await elsewhere.goto("/forgot-password");
  await elsewhere.getByLabel("Email").fill(ada.email);
  await elsewhere.getByRole("button", { name: "Email me a link" }).click();
  await expect(
    elsewhere.getByText(`If there is an account for ${ada.email}, we've emailed you a link.`),
  ).toBeVisible();
  await expect(elsewhere.getByText("open the demo inbox")).toHaveCount(0);
  const password = "Another#2027";
  await openMailedLink(ada, password);
  await logIn(elsewhere, { ...ada, password });
  await page.evaluate(() => localStorage.removeItem("accessToken"));
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});

test("with Firebase, Profile saves a new name and lists sessions, but offers no passkeys or two-step verification", async ({
  page,
}) => {
  const ada = newCredentials("Ada");
  await signUp(page, ada, "Buyer");
  await page.goto("/dashboard/profile");
  await page.getByLabel("Name").fill("Ada King");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(toastOf(page, "Profile saved.")).toBeVisible();
  await expect(
    page.getByText("Google's Firebase signs you in and keeps your password."),
  ).toBeVisible();
  await expect(page.getByText("This session")).toBeVisible();
  for (const absent of ["Passkeys", "Two-step verification"])
    await expect(page.getByRole("heading", { name: absent })).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel("Name")).toHaveValue("Ada King");
  await page.goto("/");
  await signOut(page);
  await expect(page.getByRole("button", { name: "Use a passkey" })).toHaveCount(0);
});

test("deleting an account also deletes the account at Firebase", async ({ page }) => {
  const ada = newCredentials("Ada");
  await signUp(page, ada, "Buyer");
  await page.goto("/dashboard/profile");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Your account has been deleted" })).toBeVisible();
  await expect.poll(() => accountsAtFirebase(ada.email)).toBe(0);
  await page.goto("/login");
  await fillLogin(page, ada);
  await expectRefusal(page, "That email and password don't match. Check both and try again.");
});

test("with Firebase, deleting an account more than five minutes after login requires the password", async ({
  page,
}) => {
  const ada = newCredentials("Ada");
  await signUp(page, ada, "Buyer");
  await page.clock.setSystemTime(Date.now() + 6 * 60_000);
  await page.goto("/dashboard/profile");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm it's you" });
  await dialog.getByLabel("Password", { exact: true }).fill(ada.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Your account has been deleted" })).toBeVisible();
  await expect.poll(() => accountsAtFirebase(ada.email)).toBe(0);
});

async function openGoogle(page: Page): Promise<Page> {
  const button = page.getByRole("button", { name: "Continue with Google" });
  const [popup] = await Promise.all([page.waitForEvent("popup"), button.click()]);
  return popup;
}

async function continueWithGoogle(page: Page, { name, email }: Credentials): Promise<void> {
  const popup = await openGoogle(page);
  await popup.getByText("Add new account").click();
  await popup.locator("#email-input").fill(email);
  await popup.locator("#display-name-input").fill(name);
  await popup.getByRole("button", { name: /Sign in/ }).click();
}

/** Sets a password with the emulator's newest link for the email address. */
async function openMailedLink({ email }: Credentials, password: string): Promise<void> {
  const answer = await fetch(`${emulator}/emulator/v1/projects/${project}/oobCodes`);
  const { oobCodes } = (await answer.json()) as { oobCodes: { email: string; oobLink: string }[] };
  const link = oobCodes.findLast((one) => one.email === email)?.oobLink;
  const opened = await fetch(`${link}&newPassword=${encodeURIComponent(password)}`);
  expect(opened.status).toBe(200);
}

async function accountsAtFirebase(email: string): Promise<number> {
  const url = `${emulator}/identitytoolkit.googleapis.com/v1/projects/${project}/accounts:lookup`;
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer owner" },
    body: JSON.stringify({ email: [email] }),
  });
  return ((await answer.json()) as { users?: unknown[] }).users?.length ?? 0;
}
