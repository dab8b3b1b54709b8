import { expect } from "@playwright/test";
import { readConfig } from "#contract/config.ts";
import { inviteFriend } from "#contract/invitations.ts";
import { newCredentials } from "./accounts.ts";
import { expectRefusal, test } from "./fixtures.ts";

test.use({ expectedErrors: [/status of 400/] });

test("a visitor opens the emailed link and presses a button to unsubscribe from invitations", async ({
  page,
  request,
  buyer,
}) => {
  const { email } = newCredentials("Friend");
  const { mailInboxUrl } = await buyer.call(readConfig, {});
  await buyer.call(inviteFriend, { body: { email } });
  let path = "";
  await expect(async () => {
    const mails: { to: string[]; text: string }[] = await (
      await request.get(`${mailInboxUrl}/messages`)
    ).json();
    const { text = "" } = mails.find(({ to }) => to.includes(email)) ?? {};
    path =
      /Unsubscribe from invitations:\nhttps?:\/\/[^/]+(\/unsubscribe\S+)/.exec(text)?.[1] ?? "";
    expect(path).not.toBe("");
  }).toPass();

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
