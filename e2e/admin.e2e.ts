import { expect, type Locator, type Page } from "@playwright/test";
import { listCategoryProducts } from "#contract/categories.ts";
import { reportProduct } from "#contract/reports.ts";
import { reportReview, writeReview } from "#contract/reviews.ts";
import { paths } from "#web/paths.ts";
import { type Laptop, listLaptop, logInMember, type Member, receiveLaptop } from "./accounts.ts";
import {
  cardOf,
  columnsOf,
  confirmIn,
  dashboardMenu,
  navigateOnClient,
  openActions,
  rowOf,
  test,
  toastOf,
} from "./fixtures.ts";

test.use({ role: "admin" });

const comment = "The serial number is filed off.";

test.describe("All Sellers", () => {
  test("§2.3.10 §10.19 §8.6.5 §5.5: All Sellers lists sellers, and Delete asks for confirmation and shows a toast", async ({
    page,
    newSeller,
    buyer,
    baseURL,
  }) => {
    await page.goto("/dashboard/allSellers");
    await expect.soft(columnsOf(page)).toHaveText(["Name", "Email", "Verify", "Action"]);
    const main = page.getByRole("main");
    const row = rowOf(page, newSeller.email);
    const { name, email } = newSeller;

    await test.step("search finds a seller by an email prefix in any letter case", async () => {
      await main.getByLabel("Search").fill(email.slice(0, 12).toUpperCase());
      await main.getByRole("button", { name: "Search" }).click();
      await expect(row).toBeVisible();
      await expect(page.getByRole("row")).toHaveCount(2);
      await main.getByLabel("Search").fill("nobody-begins-so");
      await main.getByRole("button", { name: "Search" }).click();
      await expect(page.getByRole("heading", { name: "No seller found" })).toBeVisible();
      await page.getByRole("link", { name: "Show all" }).click();
      await expect(page.getByRole("row").nth(2)).toBeVisible();
    });

    await test.step("the section “What was checked” starts collapsed", async () => {
      const actions = row.getByRole("cell").last().getByRole("button");
      await expect(actions.first()).toHaveText("Delete");
      await expect(row.getByRole("button", { name: `Suspend ${name}` })).toBeHidden();
      await expect(row.getByText("Identity not checked")).toBeHidden();
      await row.getByText("What was checked").click();
      await expect(row.getByText("Identity not checked")).toBeVisible();
    });
    await test.step("§10.20: an admin can suspend and restore a seller, and end the seller's sessions", async () => {
      const act = async (action: string, toast: string) => {
        await openActions(row);
        await row.getByRole("button", { name: `${action} ${name}` }).click();
        await confirmIn(page, action.replace(" of", ""));
        await expect(toastOf(page, toast)).toBeVisible();
      };
      await act("Suspend", `Seller ${name} suspended`);
      await expect(row.getByText("Suspended", { exact: true })).toBeVisible();
      const logIn = () => logInMember(String(baseURL), newSeller);
      await expect(logIn()).rejects.toThrow("This account is suspended.");
      await act("Restore", `Seller ${name} restored`);
      await logIn();
      await act("End sessions of", `${name} has been signed out everywhere`);
    });
    await expectDeletion(row, { name, said: `Seller ${name} deleted successfully` });

    await test.step("§2.3.11 §8.6.4 §5.5: All Buyers lists Name, Email and Action, and Delete asks for confirmation and shows a toast", async () => {
      await navigateOnClient(page, "/dashboard/allBuyers");
      await expect.soft(columnsOf(page)).toHaveText(["Name", "Email", "Action"]);
      const said = `Buyer ${buyer.name} deleted successfully`;
      await expectDeletion(rowOf(page, buyer.email), { name: buyer.name, said });
    });
  });

  test("§2.3.10 §2.5.2 §4.6 §7.17 §6.6: pressing Verify changes the button to Verified and adds the badge to the seller's laptops", async ({
    page,
    newSeller,
  }) => {
    const laptop = await listLaptop(newSeller);
    const row = rowOf(page, newSeller.email);
    const category = `/categoryProducts/${laptop.category}`;
    await page.goto(category);
    await expect(cardOf(page, laptop)).toBeVisible();
    await expect(cardOf(page, laptop)).not.toContainText("Verified seller");
    await page.getByRole("link", { name: "Dashboard" }).click();
    const sent = page.waitForRequest("**/api/users/sellerStatus");
    await row.getByRole("button", { name: `Verify ${newSeller.name}` }).click();
    const dialog = page.getByRole("dialog", { name: `Verify ${newSeller.name}?` });
    await expect(dialog).toContainText("All their laptops get the badge “Verified seller”.");
    await expect(dialog).toContainText("their identity wasn't checked by Stripe");
    await dialog.getByRole("button", { name: "Verify" }).click();
    const { email } = newSeller;
    const body = { id: expect.any(String), email, verify: false };
    const verifying = await sent;
    expect.soft(verifying.postDataJSON()).toEqual(body);
    const bearer = expect.stringMatching(/^Bearer ey/);
    expect.soft(verifying.headers()).toMatchObject({ authorization: bearer });
    await expect(row.getByRole("button", { name: "Verified" })).toBeFocused();
    await expect(row.getByRole("button", { name: "Verified" })).toHaveText("Verified");
    await navigateOnClient(page, category);
    const badge = cardOf(page, laptop).getByTitle("Verified seller");
    await badge.click();
    await expect(page.getByText("One of our admins has verified this seller.")).toBeVisible();
    await page.getByRole("link", { name: "Dashboard" }).click();
    await row.getByRole("button", { name: "Verified" }).click();
    await confirmIn(page, "Remove badge");
    const verifyButton = row.getByRole("button", { name: `Verify ${newSeller.name}` });
    await expect(verifyButton).toHaveText("Verify");

    await test.step("§10.22: an admin filters the Audit Log by member and item type, and Back restores the previous filters", () =>
      filterAuditLog(page, newSeller, laptop));
  });
});

test("§2.3.12 §10.18 §5.5: Reported Items lists the reports, and an admin can delete a report or take down its listing", async ({
  page,
  seller,
  buyer,
  newSeller,
  laptop,
}) => {
  const other = await listLaptop(seller);
  for (const reportedProduct of [laptop, other])
    await buyer.call(reportProduct, { body: { comment, reportProduct: reportedProduct } });
  const prices = { resale_price: 4300, original_price: 899 };
  const implausible = await listLaptop(newSeller, prices);
  await page.goto("/dashboard/reportedItems");
  const row = rowOf(page, laptop.product_name);
  await expect.soft(columnsOf(page)).toHaveText(["SL", "Image", "Title", "Comment", "Action"]);
  await expect.soft(row).toContainText(comment);
  await expect.soft(row.getByRole("img", { name: laptop.product_name })).toBeVisible();
  await expect.soft(row.getByRole("cell").first()).toHaveText(/^\d+$/);

  await test.step("Take down asks for a reason, removes the listing and keeps the report", async () => {
    await row.getByRole("button", { name: "Take down" }).click();
    const dialog = page.getByRole("dialog", { name: "Take down this listing?" });
    await expect(dialog).toContainText("A report about it stays until you delete it.");
    await dialog.getByRole("button", { name: "Take down" }).click();
    const reason = dialog.getByLabel("Reason");
    await expect(reason).toHaveAccessibleDescription("Write why you are taking this listing down.");
    await reason.fill(comment);
    await dialog.getByRole("button", { name: "Take down" }).click();
    await expect(dialog).toBeHidden();
    await expect(row).toContainText("Listing taken down");
    await expect(row.getByRole("button", { name: "Take down" })).toHaveCount(0);
    await expect.poll(() => isListed(buyer, laptop)).toBe(false);
  });

  await test.step("deleting a report asks for confirmation and does not remove the listing", async () => {
    const { product_name } = other;
    const report = rowOf(page, product_name);
    await report.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Are you sure you want to delete?" });
    await expect(dialog).toContainText("This closes the report. The listing stays as it is.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expectDeletion(report, {
      name: `the report about ${product_name}`,
      said: `Reported item ${product_name} deleted successfully`,
    });
    await expect.poll(() => isListed(buyer, other)).toBe(true);
  });

  await test.step("Listings to Check shows an implausibly priced listing until an admin dismisses it, and the menu shows a count", async () => {
    const { product_name } = implausible;
    const toCheck = dashboardMenu(page).getByRole("link", { name: /^To Check ?, \d+$/ });
    await toCheck.click();
    await expect(page.getByRole("link", { name: /^Invitations to Check \(\d+\)$/ })).toBeVisible();
    const toDismiss = rowOf(page, product_name);
    await expect(toDismiss).toContainText("Offered for $4,300, new $899.");
    await expect(
      toDismiss.getByRole("button", { name: `Take down ${product_name}` }),
    ).toBeVisible();
    await toDismiss.getByRole("button", { name: `Dismiss ${product_name}` }).click();
    await confirmIn(page, "Dismiss");
    await expect(toastOf(page, `${product_name} is no longer in the list.`)).toBeVisible();
    await expect(toDismiss).toHaveCount(0);
  });
});

async function isListed(buyer: Member, { _id, category }: Laptop): Promise<boolean> {
  const listed = await buyer.call(listCategoryProducts, { params: { id: category } });
  return listed.some((product) => product._id === _id);
}

async function expectDeletion(
  row: Locator,
  { name, said }: { name: string; said: string },
): Promise<void> {
  const page = row.page();
  await row.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Are you sure you want to delete?" });
  const message = `If you delete ${name}. It cannot be undone.`;
  await expect(dialog.getByText(message, { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(toastOf(page, said)).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(page.locator("tr:focus")).toHaveCount(1);
}

async function filterAuditLog(page: Page, newSeller: Member, laptop: Laptop): Promise<void> {
  const { product_name } = laptop;
  await navigateOnClient(page, "/dashboard/auditLog");
  await expect(columnsOf(page)).toHaveText(["When", "What happened"]);

  await page.getByLabel("Member's email").fill("nobody");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("Enter an email address such as")).toBeVisible();
  await page.getByLabel("Member's email").fill(newSeller.email);
  await page.getByLabel("Item type").selectOption("Products");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  const sentence = rowOf(page, product_name).getByText("for sale");
  await expect(sentence).toHaveText(`${newSeller.name} listed ${product_name} for sale`);
  await rowOf(page, product_name).getByText("Stored entry").click();
  await expect(rowOf(page, product_name).getByText(/^list product /)).toBeVisible();

  await page.getByRole("link", { name: newSeller.name }).click();
  await expect(rowOf(page, `${newSeller.name} signed up`)).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel("Item type")).toHaveValue("product");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByLabel("Member's email").fill("nobody@example.com");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("heading", { name: "No entries" })).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page.getByRole("row").nth(3)).toBeVisible();
}

test("an admin removes a reported review", async ({ page, newSeller, buyer }) => {
  const { booking } = await receiveLaptop(buyer, await listLaptop(newSeller));
  const write = (member: Member, text: string) =>
    member.call(writeReview, { body: { booking, stars: 1, text } });
  const text = "The laptop was broken, and that is a lie.";
  const { insertedId: id } = await write(buyer, text);
  await write(newSeller, "Never came.");
  const comment = `Not true, says ${newSeller.email.slice(0, 14)}`;
  await newSeller.call(reportReview, { params: { id }, body: { comment } });
  await page.goto(paths.reviews());
  await expect(page).toHaveTitle(/^Reported Reviews · /);
  const report = page.getByRole("article").filter({ hasText: comment });
  await expect(report).toContainText(text);
  await report.getByRole("button", { name: "Remove review" }).click();
  await page.getByLabel("Reason").fill("It says nothing about the deal.");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(report).toHaveCount(0);
});
