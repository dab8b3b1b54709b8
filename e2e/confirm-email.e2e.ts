import { type APIRequestContext, expect } from "@playwright/test";
import { sql } from "kysely";
import { readConfig } from "#contract/config.ts";
import { readConfirmation } from "#contract/members.ts";
import type { Credentials, Member } from "./accounts.ts";
import { changeDatabase } from "./database.ts";
import { test } from "./fixtures.ts";

async function mailedTokens(request: APIRequestContext, who: Member, count: number) {
  const { mailInboxUrl } = await who.call(readConfig, {});
  let tokens: string[] = [];
  await expect(async () => {
    const mails = (await (await request.get(`${mailInboxUrl}/messages`)).json()) as {
      to: string[];
      text: string;
    }[];
    tokens = mails
      .filter(({ to }) => to.includes(who.email))
      .flatMap(({ text }) => /\/confirm-email\?token=([\w-]+)/.exec(text)?.[1] ?? []);
    expect(tokens).toHaveLength(count);
  }).toPass();
  return tokens;
}

const backdateConfirmationLinks = ({ email }: Credentials, minutes: number) =>
  changeDatabase((tx) =>
    sql`update email_confirmations
      set created_at = created_at - ${minutes} * interval '1 minute',
        expires_at = expires_at - ${minutes} * interval '1 minute'
      where member_id = (select id from members where email = ${email})`.execute(tx),
  );

const expired = "This link has expired or is incomplete. Log in, and have a new one sent to you.";

test("opening an emailed link does not confirm the address; pressing the button on the linked page does", async ({
  page,
  request,
  buyer,
}) => {
  const [token] = await mailedTokens(request, buyer, 1);
  await page.goto(`/confirm-email?token=${token}`);
  const confirm = page.getByRole("button", { name: "Confirm my email address" });
  await expect(confirm).toBeEnabled();
  const opened = await buyer.call(readConfirmation, {});
  expect(opened.confirmed).toBe(false);
  await confirm.click();
  await expect(page.getByText("Thank you. Your email address is confirmed.")).toBeVisible();
  const pressed = await buyer.call(readConfirmation, {});
  expect(pressed.confirmed).toBe(true);

  await page.goto(`/confirm-email?token=${token}`);
  await confirm.click();
  await expect(page.getByText("Your email address is already confirmed.")).toBeVisible();
  await page.getByRole("link", { name: "Go to the home page" }).click();
  await expect(page).toHaveURL("/");
});

test.describe("a new confirmation link", () => {
  test.use({ expectedErrors: [/status of 4(09|29)/] });

  test("the button Send the link again requires a minute's wait, and disappears after confirmation", async ({
    buyerPage: page,
    request,
    buyer,
  }) => {
    await mailedTokens(request, buyer, 1);
    await page.goto("/dashboard");
    const again = page.getByRole("button", { name: "Send the link again" });
    await again.click();
    await expect(
      page.getByText("We sent you a link a moment ago. Wait a minute to get another."),
    ).toBeVisible();
    await backdateConfirmationLinks(buyer, 24 * 60);
    const [token] = await mailedTokens(request, buyer, 1);
    for (const one of [token, "never-mailed"]) {
      await page.goto(`/confirm-email?token=${one}`);
      await page.getByRole("button", { name: "Confirm my email address" }).click();
      await expect(page.getByText(expired)).toBeVisible();
    }
    await page.getByRole("link", { name: "Get a new link" }).click();
    await expect(page).toHaveURL("/dashboard/profile");
    const { confirmed } = await buyer.call(readConfirmation, {});
    expect(confirmed).toBe(false);
    await again.click();
    await expect(page.getByText("We sent you a new link.")).toBeVisible();
    const tokens = await mailedTokens(request, buyer, 2);
    const [renewed] = tokens.filter((one) => one !== token);

    await page.goto(`/confirm-email?token=${renewed}`);
    await page.getByRole("button", { name: "Confirm my email address" }).click();
    await expect(page.getByText("Thank you. Your email address is confirmed.")).toBeVisible();
    await page.goto("/dashboard");
    await expect(page.getByRole("heading", { name: "My Orders" })).toBeVisible();
    await expect(again).toHaveCount(0);
  });
});
