import { expect } from "@playwright/test";
import { inviteFriend } from "#contract/invitations.ts";
import { newCredentials } from "./accounts.ts";
import { expectRefusal, test } from "./fixtures.ts";
import { findInMail } from "./mails.ts";

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
