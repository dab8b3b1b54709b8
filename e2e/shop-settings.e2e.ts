/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { listCategories } from "#contract/categories.ts";
import { deleteCategory, readCatalog } from "#contract/manage-categories.ts";
import { listLaptop, type Member, registerMember } from "./accounts.ts";
import { expectAccessible } from "./axe-and-keyboard.ts";
import { fillLogin, signIn, signInAs, test, waitForHydration } from "./fixtures.ts";
import { confirmAddresses, readInbox } from "./mails.ts";
import { inviteFinance, joinWhileClosed } from "./staff.ts";

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="24"><script>alert(1)</script><rect width="120" height="24" fill="#3b1f8f"/></svg>`;

// A new category with an existing category's name gets a 400.
test.use({ expectedErrors: [/status of 400 .*\/api\/categories$/] });

const versionsOf = (page: Page) => page.getByRole("table", { name: "Versions" });

type Browsers = { page: Page; visitor: Page; url: string };

async function forgetSession(visitor: Page): Promise<void> {
  await visitor.goto("about:blank");
  await visitor.context().clearCookies();
}

async function confirm(page: Page, name: string, yes = name): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: yes }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("a new shop's first admin sees the first steps after login, and can set up the shop", async ({
  page,
  otherPage: visitor,
  ownServer: { url, run },
}) => {
  const owner = await registerMember(url, "buyer");
  await run("server/cli/admin.ts", "grant", owner.email);
  await page.goto(`${url}/login`);
  await waitForHydration(page);
  await fillLogin(page, owner);
  await expect(page).toHaveURL(`${url}/dashboard/shop/first-steps`);
  await expect(page.getByText("0 of 6 done")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "SMTP_URL" })).toContainText("To do");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Go to Shop" }).first().click();
  await test.step("a downloaded settings file fills in the form, and an invalid file changes nothing", () =>
    useSettingsFile(page));
  await test.step("an owner edits one email, previews it, and sends a copy to themselves", () =>
    writeOwnEmail(page, owner));
  const staffing = { page, theirs: visitor, url, owner };
  await test.step("an owner invites finance staff, who can open Payments but not Shop", () =>
    inviteFinance(staffing));
  await forgetSession(visitor);
  await page.goto(`${url}/dashboard/shop`);
  const browsers = { page, visitor, url };
  const seller = await registerMember(url, "seller");
  await test.step("an owner previews and publishes settings, and restores an earlier version and the built-in settings", async () => {
    await fillInSettings(page);
    await previewSettings(browsers);
    await publishSettings(browsers);
    await changeCurrency(browsers, seller);
    await restoreSettings(browsers);
  });
  await test.step("an owner replaces the categories with three new ones, and a seller lists a laptop in one of them", () =>
    replaceCategories(page, { url, owner, seller }));
  await test.step("while the shop is closed, an invited person can join the staff, and a seller can open Edit Product", async () => {
    const { _id: laptop } = await listLaptop(seller);
    await closeShop(browsers);
    await joinWhileClosed(staffing);
    await signInAs(visitor, seller);
    await visitor.goto(`${url}/dashboard/editProduct/${laptop}`);
    await expect(visitor.getByLabel("Resale Price")).toHaveValue("640");
  });
});

async function closeShop({ page, visitor, url }: Browsers): Promise<void> {
  await forgetSession(visitor);
  await page.goto(`${url}/dashboard/shop`);
  await page.getByLabel("Shop name").fill("Relap");
  await page.getByLabel("Close the shop").check();
  await confirm(page, "Publish");
  await expect(versionsOf(page)).toContainText("Closed");
  const answer = await visitor.goto(url);
  expect(answer?.status()).toBe(503);
  await expect(visitor.getByRole("heading", { name: "Relap opens soon." })).toBeVisible();
  await visitor.getByRole("link", { name: "Log in" }).click();
  await expect(visitor.getByRole("heading", { name: "Login" })).toBeVisible();

  await page.goto(url);
  await expect(
    page.getByText("The shop is closed. Only you and other admins see this."),
  ).toBeVisible();
  await page.goto(`${url}/dashboard/overview`);
  await page.getByRole("link", { name: "5 first steps to take" }).click();
  await expect(page.getByText("1 of 6 done")).toBeVisible();
}

async function fillInSettings(page: Page): Promise<void> {
  await page.getByLabel("Shop name").fill("Relap");
  await page.getByLabel("Tagline").fill("Laptops of Lisbon.");
  await page.getByLabel("Announcement").fill("Closed on Sunday.");
  const svg = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(logo) };
  await page.getByLabel("Choose a logo").setInputFiles(svg);
  await expect(page.getByRole("img", { name: "Your logo" })).toBeVisible();
  await page.getByLabel("Use your own colors").check();
  await page.getByLabel("Main color").fill("#ffee00");
  await page.getByLabel("Set the fee here").check();
  await page.getByLabel("Percent of the price").fill("5");
  await page.getByLabel("Plus an amount ($)").fill("1");
  await expect(page.getByRole("row", { name: "$500 $26 $474" })).toBeVisible();
  await page.getByLabel("Set the times here").check();
  await expect(page.getByLabel("Hours to complain")).toHaveValue("72");
  await page.getByLabel("Hours to complain").fill("0");
  await page.getByLabel("Set the promo here").check();
  await page.getByLabel("Credit for inviting ($)").fill("12.5");
  await page.getByLabel("Page", { exact: true }).selectOption("Contact");
  await page.getByRole("button", { name: "Write your own text" }).click();
  await page.getByLabel("Your text").fill("## Ask us\n\nCome to **{shop}**.");
  await page.getByText("See how it looks").click();
  await expect(page.getByText("Come to Relap.")).toBeVisible();
}

async function previewSettings({ page, visitor, url }: Browsers): Promise<void> {
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("White text can't be read on this color.")).toBeVisible();
  await page.getByLabel("Main color").fill("#3b1f8f");
  await expect(page.getByText("Enter a whole number of hours from 24 to 336.")).toBeVisible();
  await page.getByLabel("Hours to complain").fill("48");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const banner = page.getByRole("complementary", { name: "Preview" });
  await expect(banner).toBeVisible();
  await expect(page.getByRole("img", { name: "Relap" }).first()).toBeVisible();
  await page.getByRole("link", { name: "Contact" }).click();
  await expect(page.getByText("Come to Relap.")).toBeVisible();
  const picture = page.getByRole("contentinfo").getByRole("img", { name: "Relap" });
  await picture.scrollIntoViewIfNeeded();
  const box = await picture.boundingBox();
  expect(box).toMatchObject({ width: 160, height: 32 });

  await visitor.goto(`${url}/contact`);
  await expect(visitor).toHaveTitle("Contact · Secondlap");
  await banner.getByRole("link", { name: "Back to the settings" }).click();
  await test.step("the preview banner does not cover Publish", async () => {
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const bottom = await publish.evaluate((button) => {
        button.scrollIntoView({ block: "center" });
        return button.getBoundingClientRect().bottom;
      });
      expect(bottom).toBeLessThan((await banner.boundingBox())?.y ?? 0);
    }
  });
  await page.getByRole("button", { name: "End the preview" }).click();
  await expect(banner).toHaveCount(0);
}

async function publishSettings({ page, visitor, url }: Browsers): Promise<void> {
  await confirm(page, "Publish");
  await expect(versionsOf(page).getByRole("row")).toHaveCount(2);
  await expect(versionsOf(page).getByRole("row").last()).toContainText("Current");
  await expect(page.getByRole("status").filter({ hasText: /^Published / })).toBeVisible();
  await visitor.reload();
  await expect(visitor).toHaveTitle("Contact · Relap");
  await expect(visitor.getByText("Closed on Sunday.")).toBeVisible();
  const button = visitor.getByRole("link", { name: "Sign up" });
  await expect(button).toHaveCSS("background-color", "rgb(59, 31, 143)");
  await visitor.goto(`${url}/fees`);
  await expect(visitor.getByText("we keep 5 percent of the price plus $1.")).toBeVisible();
  await visitor.goto(`${url}/buyer-protection`);
  await expect(visitor.getByText("We keep the money for 48 hours more.")).toBeVisible();
  await visitor.goto(url);
  await expect(visitor.getByText("Get $12.50 off for inviting a friend.")).toBeVisible();
}

async function changeCurrency({ page, visitor, url }: Browsers, seller: Member): Promise<void> {
  await page.getByLabel("Shop name").fill("Third");
  for (const [currency, sign, example] of [
    ["JPY", "¥", "¥50,000 ¥2,501 ¥47,499"],
    ["KWD", "KWD", "KWD 50 KWD 3.500 KWD 46.500"],
    ["EUR", "€", "€500 €26 €474"],
  ] as const) {
    await page.getByLabel("Currency").selectOption(currency);
    await expect(page.getByLabel(`Plus an amount (${sign})`)).toHaveValue("1");
    await expect(page.getByLabel(`Credit for inviting (${sign})`)).toHaveValue("12.5");
    await expect(page.getByRole("row", { name: example })).toBeVisible();
  }
  await confirm(page, "Publish");
  await expect(versionsOf(page).getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("row", { name: "€500 €26 €474" })).toBeVisible();
  await listLaptop(seller);
  await signIn(visitor, seller);
  await visitor.goto(`${url}/dashboard/addProduct#all`);
  await expect(visitor.getByLabel("Resale Price (€)")).toBeVisible();
  await visitor.goto(`${url}/search`);
  await expect(visitor.getByRole("article").first()).toContainText("€640");
}

async function restoreSettings({ page, visitor, url }: Browsers): Promise<void> {
  await versionsOf(page).getByRole("button").last().click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await expect(page.getByLabel("Shop name")).toHaveValue("Relap");
  await visitor.reload();
  await expect(visitor).toHaveTitle("Search laptops · Relap");
  await confirm(page, "Publish the built-in settings", "Publish");
  await expect(page.getByLabel("Shop name")).toHaveValue("Secondlap");
  await visitor.goto(url);
  await expect(visitor).toHaveTitle("Used laptops, paid safely, handed over in person · Secondlap");
}

async function useSettingsFile(page: Page): Promise<void> {
  await page.getByLabel("Shop name").fill("Relap");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the settings" }).click();
  const file = await (await saving).path();
  await confirm(page, "Discard changes", "Discard");
  await expect(page.getByLabel("Shop name")).toHaveValue("Secondlap");
  await page.getByLabel("Open a file").setInputFiles(file);
  await expect(page.getByLabel("Shop name")).toHaveValue("Relap");
  const foreign =
    "This file has no shop settings. Choose a file that was downloaded from this page.";
  for (const [text, problem] of [
    ['{"scripts":{}}', foreign],
    ['{"name":""}', "Nothing was changed. name: Enter the name of your shop."],
    ["Shop name: Other", foreign],
    ['{"name":"Other","nmae":"x"}', "Nothing was changed. There is no setting nmae."],
  ] as const) {
    const buffer = Buffer.from(text);
    const broken = { name: "x.json", mimeType: "application/json", buffer };
    await page.getByLabel("Open a file").setInputFiles(broken);
    await expect(page.getByRole("alert").filter({ hasText: problem })).toBeVisible();
    await expect(page.getByLabel("Shop name")).toHaveValue("Relap");
  }
  await confirm(page, "Discard changes", "Discard");
}

async function writeOwnEmail(page: Page, owner: Member): Promise<void> {
  await confirmAddresses([owner]);
  await page.getByLabel("Which email").selectOption("Hold started (to the buyer)");
  await expect(page.getByText("Empty for “Your hold on {laptop}”.")).toBeVisible();
  await page.getByLabel("Subject").fill("{shop} holds {laptop}, {name}");
  await page.getByLabel("Opening").fill("Good choice!");
  await page.getByLabel("Which email").selectOption("Payout sent");
  await expect(page.getByLabel("Subject")).toHaveValue("");
  await page.getByRole("button", { name: "Preview the email" }).click();
  const wrong = "Please correct the texts of the email “Hold started (to the buyer)”.";
  await expect(page.getByText(wrong)).toBeVisible();

  await page.getByLabel("Which email").selectOption("Hold started (to the buyer): your own text");
  await expect(page.getByText("Use no placeholders except {shop}, {laptop}.")).toBeVisible();
  await page.getByLabel("Subject").fill("{shop} holds {laptop} for you");
  await page.getByRole("button", { name: "Preview the email" }).click();
  const preview = page.getByText("Subject: Secondlap holds a Lenovo laptop for you");
  await expect(preview).toContainText("Good choice!");
  await expect(preview).toContainText("Pay $450 by card in that time.");
  await page.setViewportSize({ width: 320, height: 640 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Send to me" }).click();
  await expect(page.getByText("We've emailed it to you.")).toBeVisible();
  const sent = async () =>
    (await readInbox(owner)).filter(({ subject }) => subject.includes("holds a Lenovo laptop"));
  const text = expect.stringContaining("Good choice!");
  await expect.poll(sent).toMatchObject([{ to: [owner.email], text }]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await confirm(page, "Discard changes", "Discard");
}

type Shop = { url: string; owner: Member; seller: Member };

async function replaceCategories(page: Page, { url, owner, seller }: Shop): Promise<void> {
  await page.goto(`${url}/dashboard/shop/categories`);
  const rows = page.getByRole("table", { name: "Categories" }).locator("tbody tr");
  await expect(rows).toHaveCount(12);
  const dialog = page.getByRole("dialog");
  const svg = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(logo) };
  await page.getByRole("button", { name: "Add a category" }).click();
  await dialog.getByLabel("Name").fill("dell");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Another category has this name.")).toBeVisible();
  await dialog.getByLabel("Name").fill("Gaming");
  await dialog.getByLabel("Choose a picture").setInputFiles(svg);
  await expect(dialog.getByRole("img", { name: "Your picture" })).toBeVisible();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(rows).toHaveCount(13);
  await expect(dialog).toHaveCount(0);
  for (const [name, own] of [
    ["Apple", "Students"],
    ["Lenovo", "Office"],
  ] as const) {
    await page.getByRole("button", { name: `Edit ${name}`, exact: true }).click();
    await dialog.getByLabel("Name").fill(own);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(rows.filter({ hasText: own })).toBeVisible();
    await expect(dialog).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Move Office up" }).click();
  await expect(rows.first()).toContainText("Office");
  const unwanted = await owner.call(readCatalog, {});
  for (const { _id: id } of unwanted.categories.slice(3, -1)) {
    const { version: basedOn, categories } = await owner.call(readCatalog, {});
    const body = { moveTo: categories[0]?._id ?? "", basedOn };
    await owner.call(deleteCategory, { params: { id }, body });
  }
  await page.reload();
  await rows.nth(2).getByRole("button", { name: "Delete" }).click();
  await expect(dialog).toContainText("It has no laptops.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(rows).toHaveCount(3);
  await expect(rows).toContainText(["Office", "Students", "Gaming"]);
  await listInGaming(page, { url, seller });
}

async function listInGaming(page: Page, { url, seller }: Omit<Shop, "owner">): Promise<void> {
  const categories = await seller.call(listCategories, {});
  expect(categories.map(({ product_category }) => product_category)).toEqual([
    "Office",
    "Students",
    "Gaming",
  ]);
  const { _id } = await listLaptop(seller, { category: categories[2]?._id ?? "" });
  await page.goto(url);
  await page.getByRole("link", { name: "Gaming" }).click();
  await expect(page.locator(`[data-product="${_id}"]`)).toBeVisible();
}

test.describe("in a shop with bookings", () => {
  test.use({ role: "admin" });

  test("the currency can't be changed, and Shop says why", async ({ page }) => {
    await page.goto("/dashboard/shop");
    const currency = page.getByLabel("Currency");
    await expect(currency).toBeDisabled();
    await expect(currency).toHaveValue("USD");
    await expect(currency).toHaveAccessibleDescription(
      "It can't change anymore, because laptops have been booked at prices in USD.",
    );
    const buffer = Buffer.from('{"name":"Other","currency":"EUR"}');
    const file = { name: "shop-settings.json", mimeType: "application/json", buffer };
    await page.getByLabel("Open a file").setInputFiles(file);
    await expect(currency).toHaveValue("EUR");
    await currency.selectOption("USD");
    await expect(currency).toBeDisabled();
  });

  test("the promo's defaults are in the chosen currency", async ({ page }) => {
    await page.goto("/dashboard/shop");
    const buffer = Buffer.from('{"currency":"JPY"}');
    const file = { name: "shop-settings.json", mimeType: "application/json", buffer };
    await page.getByLabel("Open a file").setInputFiles(file);
    const promo = page.getByLabel("Set the promo here");
    await promo.check();
    await expect(page.getByLabel("Credit for inviting (¥)")).toHaveValue("1000");
    await promo.uncheck();
    await page.getByLabel("Currency").selectOption("USD");
    await promo.check();
    await expect(page.getByLabel("Credit for inviting ($)")).toHaveValue("10");
  });

  test("Shop shows the default fee, times and promo", async ({ page }) => {
    await page.goto("/dashboard/shop");
    for (const text of [
      "By default: no fee.",
      "By default: 24 hours to pay, 14 days to hand over, 72 hours to complain",
      "By default: “Get $10 off for inviting a friend.",
    ])
      await expect(page.getByText(text)).toBeVisible();
  });

  test("Publish shows what is wrong instead of asking, even if the click leaves the wrong field", async ({
    page,
  }) => {
    await page.goto("/dashboard/shop");
    const name = page.getByLabel("Shop name");
    await name.fill("");
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    await publish.hover();
    await page.mouse.down();
    await expect(page.getByText("Please correct the fields marked in red.")).toBeVisible();
    await page.mouse.up();
    await expect(name).toBeFocused();
    await publish.click();
    await expect(name).toBeFocused();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await name.fill("Relap");
    await publish.click();
    await expect(page.getByRole("dialog")).toContainText("Publish these settings?");
  });
});
