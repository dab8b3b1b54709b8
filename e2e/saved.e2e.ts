import { expect, type Locator } from "@playwright/test";
import { saveProduct } from "#contract/saved-products.ts";
import { listSavedSearches, saveSearch } from "#contract/saved-searches.ts";
import { paths } from "#web/paths.ts";
import { payForBooking } from "./accounts.ts";
import { fillLogin, navigateOnClient, rowOf, signIn, test, waitForHydration } from "./fixtures.ts";

test("a visitor presses Save, logs in, and finds the saved laptop in the dashboard", async ({
  page,
  laptop,
  buyer,
}) => {
  const { _id, product_name } = laptop;
  await page.goto(paths.laptop(_id, product_name));
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await expect(page).toHaveURL(paths.login(paths.laptop(_id, product_name)));
  await fillLogin(page, buyer);
  await expect(page).toHaveURL(paths.laptop(_id, product_name));
  await expect(save).toHaveAttribute("aria-pressed", "true");

  await page.reload();
  await waitForHydration(page);
  await expect(save).toHaveAttribute("aria-pressed", "true");
  await navigateOnClient(page, paths.saved());
  await expect(rowOf(page, product_name)).toContainText("Available");
  const emails = page.getByLabel("Email me about price drops and sales");
  await page.setViewportSize({ width: 390, height: 844 });
  // The label wraps on phones, which must not squeeze the box.
  await expect(emails).toHaveCSS("width", "18px");
  const stored = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await emails.click();
  await stored;
  await page.reload();
  await expect(emails).not.toBeChecked();
  await page.getByRole("button", { name: `Remove: ${product_name}` }).click();
  await expect(page.getByText("You haven't saved a laptop yet")).toBeVisible();
});

test("an admin can't save a laptop or a search", async ({ page, laptop, demoMembers }) => {
  await signIn(page, demoMembers.admin);
  const { _id, product_name } = laptop;
  await page.goto("/blogs");
  for (const [address, title] of [
    [paths.laptop(_id, product_name), product_name],
    [paths.search("thinkpad"), "thinkpad"],
  ] as const) {
    await navigateOnClient(page, address);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole("link", { name: "Dashboard" })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Save/ })).toHaveCount(0);
  }
});

test("the Saved page tells a sold laptop's buyer that they bought it, and others that it is sold", async ({
  page,
  laptop,
  booking,
  buyer,
  newSeller: other,
}) => {
  for (const member of [buyer, other])
    await member.call(saveProduct, { params: { id: laptop._id } });
  await payForBooking(buyer, booking);
  const row = rowOf(page, laptop.product_name);
  await signIn(page, other);
  await page.goto(paths.saved());
  await expect(row).toContainText("Sold");
  await signIn(page, buyer);
  await page.goto(paths.saved());
  await expect(row).toContainText("You bought this.");
  await expect(page.getByLabel("Email me about price drops and sales")).toHaveCount(0);
  await row.getByRole("link", { name: "My Orders" }).click();
  await expect(page).toHaveURL(paths.myOrders());
});

test("a visitor who saves a search must log in, and sees the search as saved even if the list loads late", async ({
  page,
  buyer,
}) => {
  await page.goto("/search?q=thinkpad&ram=16");
  await page.getByRole("button", { name: "Save search" }).click();
  await expect(page).toHaveURL(paths.login("/search?q=thinkpad&ram=16"));
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith(saveSearch.path),
  );
  let isFirst = true;
  await page.route(`**${listSavedSearches.path}`, async (route) => {
    if (route.request().method() !== "GET" || !isFirst) return await route.continue();
    isFirst = false;
    // Reads the list before the search is saved, but delivers it afterward.
    const response = await route.fetch();
    await saved;
    await route.fulfill({ response });
  });
  await fillLogin(page, buyer);
  const link = page.getByRole("link", { name: "Saved search" });
  await expect(link).toBeVisible();
  // On a phone, the link stays on the line of the button that it replaces.
  await page.setViewportSize({ width: 390, height: 844 });
  const topOf = async (one: Locator) => (await one.boundingBox())?.y;
  const filters = page.getByRole("button", { name: "Filters" });
  await expect.poll(async () => (await topOf(link)) === (await topOf(filters))).toBe(true);
  await link.click();
  await expect(page).toHaveURL(paths.saved());
  await expect(page.getByRole("link", { name: "thinkpad, 16 GB RAM" })).toBeVisible();
  const stored = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await page.getByLabel("Emails about thinkpad, 16 GB RAM").selectOption("At once");
  await stored;
  await page.reload();
  await expect(page.getByLabel("Emails about thinkpad, 16 GB RAM")).toHaveValue("instant");
  await page.getByRole("button", { name: "Delete: thinkpad, 16 GB RAM" }).click();
  await expect(page.getByText("None yet.")).toBeVisible();
});
