import { expect } from "@playwright/test";
import { sql } from "kysely";
import { readConfirmation } from "#contract/members.ts";
import type { Credentials } from "./accounts.ts";
import { changeDatabase } from "./database.ts";
import { navigateOnClient, test } from "./fixtures.ts";
import { confirmationLink, findInMail } from "./mails.ts";

test.use({ expectedErrors: [/status of 4(09|29)/] });

const backdateConfirmationLinks = ({ email }: Credentials, minutes: number) =>
  changeDatabase((tx) =>
    sql`update email_confirmations
      set created_at = created_at - ${minutes} * interval '1 minute',
        expires_at = expires_at - ${minutes} * interval '1 minute'
      where member_id = (select id from members where email = ${email})`.execute(tx),
  );

const expired = "This link has expired or is incomplete. Log in, and have a new one sent to you.";

test("asking for another link requires a minute's wait; only the button on the link's page confirms the address", async ({
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
