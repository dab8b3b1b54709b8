/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { sql } from "kysely";
import { inviteFriend } from "#contract/invitations.ts";
import { readConfirmation } from "#contract/members.ts";
import { defaultSettings } from "#contract/shop-settings.ts";
import { renderEmail } from "#server/email/email-layout.ts";
import { type Credentials, newCredentials } from "./accounts.ts";
import { expectAccessible } from "./axe-and-keyboard.ts";
import { changeDatabase } from "./database.ts";
import { expectRefusal, navigateOnClient, test } from "./fixtures.ts";
import { confirmationLink, findInMail } from "./mails.ts";

test("an email fits a width of 320 px and passes axe in both themes", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { html } = renderEmail(
    {
      to: "ada@example.com",
      subject: "Your hold on a Dell laptop",
      paragraphs: [`Listing: “${"x".repeat(120)}”`, "Changed your mind? Cancel the hold."],
      action: { label: "View My Orders", url: "https://example.com/dashboard" },
      unsubscribeUrl: "https://example.com/unsubscribe",
    },
    defaultSettings,
  );
  await page.setContent(html);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
  await expect(page.getByRole("link", { name: "View My Orders" })).toBeInViewport();
  await expectAccessible(page);
});

test.describe("unsubscribing", () => {
  test.use({ expectedErrors: [/status of 400/] });

  test("a visitor opens the emailed link and presses a button to unsubscribe from invitations", async ({
    page,
    buyer,
  }) => {
    const { email } = newCredentials("Friend");
    await buyer.call(inviteFriend, { body: { email } });
    const link = /Unsubscribe from invitations:\nhttps?:\/\/[^/]+(\/unsubscribe\S+)/;
    const path = await findInMail(buyer, email, link);

    const unsubscribe = page.getByRole("button", { name: "Unsubscribe" });
    await page.goto(path.slice(0, -1));
    await unsubscribe.click();
    await expectRefusal(page, "This link is incomplete. Open the full link from the email.");
    await page.goto(path);
    await unsubscribe.click();
    await expect(
      page.getByText(
        "You're unsubscribed. We won't send any more invitations to this email address.",
      ),
    ).toBeVisible();
    await page.getByRole("link", { name: "Go to the home page" }).click();
    await expect(page).toHaveURL("/");
  });
});

test.describe("the confirmation link", () => {
  test.use({ expectedErrors: [/status of 4(09|29)/] });

  const backdateConfirmationLinks = ({ email }: Credentials, minutes: number) =>
    changeDatabase((tx) =>
      sql`update email_confirmations
        set created_at = created_at - ${minutes} * interval '1 minute',
          expires_at = expires_at - ${minutes} * interval '1 minute'
        where member_id = (select id from members where email = ${email})`.execute(tx),
    );

  const expired = "This link has expired or is incomplete. Log in, and have a new one sent to you.";

  test("a member must wait a minute to get another link, and only the button on the link's page confirms the address", async ({
    buyerPage: page,
    buyer,
  }) => {
    const token = await findInMail(buyer, buyer.email, confirmationLink);
    await page.goto("/dashboard");
    const again = page.getByRole("button", { name: "Send the link again" });
    await again.click();
    await expect(
      page.getByText("We sent you a link a moment ago. Wait a minute to get another."),
    ).toBeVisible();
    await backdateConfirmationLinks(buyer, 24 * 60);
    const confirm = page.getByRole("button", { name: "Confirm my email address" });
    await page.goto(`/confirm-email?token=${token}`);
    await confirm.click();
    await expect(page.getByText(expired)).toBeVisible();
    await page.getByRole("link", { name: "Get a new link" }).click();
    await expect(page).toHaveURL("/dashboard/profile");
    await again.click();
    await expect(page.getByText("We sent you a new link.")).toBeVisible();
    const other = new RegExp(`/confirm-email\\?token=(?!${token})([\\w-]+)`);
    const renewed = await findInMail(buyer, buyer.email, other);

    await page.goto(`/confirm-email?token=${renewed}`);
    await expect(confirm).toBeEnabled();
    const opened = await buyer.call(readConfirmation, {});
    expect(opened.confirmed).toBe(false);
    await confirm.click();
    await expect(page.getByText("Thank you. Your email address is confirmed.")).toBeVisible();
    await page.goto(`/confirm-email?token=${renewed}`);
    await confirm.click();
    await expect(page.getByText("Your email address is already confirmed.")).toBeVisible();
    await page.getByRole("link", { name: "Go to the home page" }).click();
    await expect(page).toHaveURL("/");
    await navigateOnClient(page, "/dashboard");
    await expect(page.getByRole("heading", { name: "My Orders" })).toBeVisible();
    await expect(again).toHaveCount(0);
  });
});
