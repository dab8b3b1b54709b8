import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { endOtherSessions } from "#contract/account.ts";
import { logInMember } from "./accounts.ts";
import { backdateSessions } from "./database.ts";
import { fillLogin, signIn, test, toastOf } from "./fixtures.ts";

// The wrong password and the calls of an ended session fail.
test.use({ expectedErrors: [/status of 40[13]/] });

test("§10.5 §10.6: a member lists and ends their other sessions, and must enter the password for a sensitive action more than ten minutes after login", async ({
  page,
  buyer,
  baseURL,
}) => {
  await signIn(page, buyer);
  for (const _ of ["laptop", "phone"]) await logInMember(String(baseURL), buyer);
  await page.goto("/dashboard/profile");
  const places = page.getByRole("region", { name: "Where you're signed in" });
  await expect(places.getByRole("listitem")).toHaveCount(3);
  await expect(places.getByRole("listitem").first()).toContainText("This session");
  await places
    .getByRole("button", { name: /^End session: Unknown device/ })
    .first()
    .click();
  await expect(places.getByRole("listitem")).toHaveCount(2);
  await backdateSessions(buyer);
  await places.getByRole("button", { name: "End all other sessions" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm it's you" });
  const password = dialog.getByLabel("Password");
  await password.fill("Wrong#2026");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("That is not your password.")).toBeVisible();
  await expect(places.getByRole("listitem")).toHaveCount(2);
  await password.fill(buyer.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toastOf(page, "You've been signed out everywhere else.")).toBeVisible();
  await expect(places.getByRole("listitem")).toHaveCount(1);
  await expect(places.getByRole("button")).toHaveCount(0);
  await expect(dialog).toHaveCount(0);
  await test.step("the success message disappears when the member leaves the page", async () => {
    await page.getByRole("link", { name: "Saved" }).click();
    await expect(page.getByRole("heading", { name: "Saved", level: 1 })).toBeVisible();
    await expect(toastOf(page, "You've been signed out everywhere else.")).toHaveCount(0);
  });
  await test.step("a browser is sent to Login after its session is ended from another browser", async () => {
    const elsewhere = await logInMember(String(baseURL), buyer);
    await elsewhere.call(endOtherSessions, {});
    await page.goto("/dashboard/profile");
    await expect(page).toHaveURL(/\/login\?from=/);
  });
});

test("§5.5 §10.8: a member deletes their account after confirming, and can't log in anymore", async ({
  buyerPage: page,
  buyer,
  booking: _,
}) => {
  await page.goto("/dashboard/profile");
  await test.step("§10.7: a member downloads their data", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download my data" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("account-data.json");
    const data = JSON.parse(await readFile(await file.path(), "utf8"));
    expect(data).toMatchObject({
      member: { email: buyer.email },
      bookings: [{ phone: "5550177" }],
      signInMethods: [{ method: "password" }],
    });
  });
  await page.getByRole("button", { name: "Delete my account" }).click();
  const dialog = page.getByRole("dialog", { name: "Are you sure you want to delete?" });
  await expect(dialog).toContainText("If you delete your account. It cannot be undone.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Your account has been deleted" })).toBeVisible();
  await expect(page.getByText("We keep the records of completed payments.")).toBeVisible();
  await page.goto("/login");
  await fillLogin(page, buyer);
  await expect(page.getByText("That email and password don't match.")).toBeVisible();
});
