import { expect, type Page } from "@playwright/test";
import { inviteStaff } from "#contract/staff.ts";
import { type Member, newCredentials, registerMember } from "./accounts.ts";
import { dashboardMenu, fillSignUp, signInAs } from "./fixtures.ts";
import { confirmAddresses, confirmationLink, findInMail } from "./mails.ts";

const invitationLink = /\/dashboard\/staff\?token=([\w-]+)/;

/** `page` is the owner's browser, `theirs` the invited member's. */
type Staffing = { page: Page; theirs: Page; url: string; owner: Member };

export async function inviteFinance({ page, theirs, url, owner }: Staffing): Promise<void> {
  const fiona = { name: "Fiona", email: "fiona@example.com", password: "Secret#2026" };
  const invited = await registerMember(url, "buyer", fiona);
  await confirmAddresses([invited]);
  await page.goto(`${url}/dashboard/staff`);
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

  const token = await findInMail(owner, invited.email, invitationLink);
  await signInAs(theirs, invited);
  await theirs.goto(`${url}/dashboard/staff?token=${token}`);
  await theirs.getByRole("button", { name: "Join the staff" }).click();
  await expect(theirs.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const menu = dashboardMenu(theirs).getByRole("link");
  await expect(menu).toHaveText([
    "All Sellers",
    "All Buyers",
    "Needs You",
    "Payments",
    "Overview",
    "Profile",
  ]);
  await menu.filter({ hasText: "Payments" }).click();
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
  await expect(menu.filter({ hasText: "Reported Items" })).toBeVisible();
  await expect(menu.filter({ hasText: "Payments" })).toHaveCount(0);
}

export async function joinWhileClosed({
  theirs,
  url,
  owner,
}: Omit<Staffing, "page">): Promise<void> {
  const ines = newCredentials("Ines");
  await owner.call(inviteStaff, { body: { email: ines.email, role: "support" } });
  const mailed = await findInMail(owner, ines.email, invitationLink);
  const invitation = `${url}/dashboard/staff?token=${mailed}`;
  await theirs.goto("about:blank");
  await theirs.context().clearCookies();
  await theirs.goto(invitation);
  await theirs.getByRole("link", { name: "Create new account" }).click();
  await expect(theirs).toHaveURL(/\/signup/);
  await theirs.reload();
  await fillSignUp(theirs, ines, "Buyer");
  const join = theirs.getByRole("button", { name: "Join the staff" });
  await expect(join).toBeVisible();
  const confirmation = await findInMail(owner, ines.email, confirmationLink);
  await theirs.goto(`${url}/confirm-email?token=${confirmation}`);
  await theirs.getByRole("button", { name: "Confirm my email address" }).click();
  await expect(theirs.getByRole("main")).toContainText("confirmed");
  await theirs.goto(invitation);
  await join.click();
  await expect(theirs.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
}
