/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { defaultSettings, publishShopSettings } from "#contract/shop-settings.ts";
import { inviteStaff } from "#contract/staff.ts";
import { tokenIn } from "#server/testing/inbox.ts";
import { listLaptop, type Member, newCredentials, registerMember } from "./accounts.ts";
import { fillSignUp, test } from "./fixtures.ts";
import { confirmAddresses, readInbox } from "./mails.ts";

const menu = (page: Page) => page.getByRole("navigation", { name: "Dashboard" });

async function open(page: Page, url: string, { cookie }: Member, path: string): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies([{ ...cookie, url }]);
  await page.goto(`${url}${path}`);
}

test("an owner invites finance staff, who can open Payments but not Shop, and later changes their role", async ({
  page,
  ownServer: { url, run },
  browser,
}) => {
  const [owner, invited] = [
    await registerMember(url, "buyer"),
    await registerMember(url, "buyer", {
      name: "Fiona",
      email: "fiona@example.com",
      password: "Secret#2026",
    }),
  ];
  await run("server/cli/admin.ts", "grant", owner.email);
  await confirmAddresses([invited]);
  await open(page, url, owner, "/dashboard/staff");
  const staff = page.getByRole("table", { name: "Staff" });
  await expect(staff.getByRole("row")).toHaveCount(2);
  await expect(staff.getByText("The only owner")).toBeVisible();
  await page.getByLabel("Email", { exact: true }).fill(invited.email);
  await page.getByLabel("Role", { exact: true }).selectOption("Finance");
  await page.getByRole("button", { name: "Send invitation" }).click();
  const takeBack = page.getByRole("button", {
    name: `Take back the invitation to ${invited.email}`,
  });
  await expect(takeBack).toBeVisible();

  const theirs = await (await browser.newContext()).newPage();
  let token = "";
  await expect(async () => {
    const mails = await readInbox(invited);
    token = tokenIn(mails.find(({ subject }) => subject.startsWith("Join")) ?? { text: "" });
  }).toPass();
  await open(theirs, url, invited, `/dashboard/staff?token=${token}`);
  await theirs.getByRole("button", { name: "Join the staff" }).click();
  await expect(theirs.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(menu(theirs).getByRole("link")).toHaveText([
    ...["All Sellers", "All Buyers", "Needs you", "Payments", "Overview", "Profile"],
  ]);
  await menu(theirs).getByRole("link", { name: "Payments" }).click();
  await expect(theirs.getByRole("heading", { level: 1, name: "Payments" })).toBeVisible();
  await theirs.goto(`${url}/dashboard/shop`);
  await expect(theirs.getByRole("heading", { name: "This page is for owners" })).toBeVisible();
  await expect(theirs.getByText(`Ask ${owner.name} if you need it.`)).toBeVisible();

  await page.reload();
  await page.getByRole("button", { name: "Change the role of Fiona" }).click();
  await page.getByRole("dialog").getByLabel("Role").selectOption("Moderation");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(staff.getByRole("row", { name: "Fiona" })).toContainText("Moderation");
  await theirs.goto(`${url}/dashboard/allBuyers`);
  await expect(menu(theirs).getByRole("link", { name: "Reported Items" })).toBeVisible();
  await expect(menu(theirs).getByRole("link", { name: "Payments" })).toHaveCount(0);
});

test("while the shop is closed, an invited person can join the staff, and a seller can open Edit Product", async ({
  page,
  ownServer: { url, run },
  browser,
}) => {
  const owner = await registerMember(url, "buyer");
  const seller = await registerMember(url, "seller");
  await run("server/cli/admin.ts", "grant", owner.email);
  const { _id: laptop } = await listLaptop(seller);
  const settings = { ...defaultSettings, closed: true };
  await owner.call(publishShopSettings, { body: { settings, basedOn: 0 } });
  const ines = newCredentials("Ines");
  await owner.call(inviteStaff, { body: { email: ines.email, role: "support" } });
  const mailedToken = async (subject: string) => {
    let token = "";
    await expect(async () => {
      const mails = (await readInbox(owner)).filter(({ to }) => to.includes(ines.email));
      token = tokenIn(mails.find((mail) => mail.subject.startsWith(subject)) ?? { text: "" });
    }).toPass();
    return token;
  };
  const invitation = `${url}/dashboard/staff?token=${await mailedToken("Join")}`;

  await page.goto(invitation);
  await page.getByRole("link", { name: "Create new account" }).click();
  await expect(page).toHaveURL(/\/signup/);
  await page.reload();
  await fillSignUp(page, ines, "Buyer");
  const join = page.getByRole("button", { name: "Join the staff" });
  await expect(join).toBeVisible();
  await page.goto(`${url}/confirm-email?token=${await mailedToken("Confirm")}`);
  await page.getByRole("button", { name: "Confirm my email address" }).click();
  await expect(page.getByRole("main")).toContainText("confirmed");
  await page.goto(invitation);
  await join.click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  const theirs = await (await browser.newContext()).newPage();
  await open(theirs, url, seller, `/dashboard/editProduct/${laptop}`);
  await expect(theirs.getByLabel("Resale Price")).toHaveValue("640");
});
