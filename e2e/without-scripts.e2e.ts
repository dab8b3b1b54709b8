import { expect, type Page } from "@playwright/test";
import { paths } from "#web/paths.ts";
import { listLaptop, randomWord, uploadPhotos } from "./accounts.ts";
import { cardOf, test } from "./fixtures.ts";

test.use({ javaScriptEnabled: false, expectedErrors: [/status of 4\d\d/] });

test("§10.26: without JavaScript, Home shows its content, and links lead to a category, a laptop, the articles and the terms", async ({
  page,
  seller,
}) => {
  const images = await uploadPhotos(seller, 3);
  const laptop = await listLaptop(seller, { img: String(images[0]), images });
  const path = paths.laptop(laptop._id, laptop.product_name);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Advertised Items" })).toBeVisible();
  await expect(page.getByRole("article").first()).toContainText("Resale Price");
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page.getByRole("link", { name: /Lenovo/ }).first()).toBeVisible();
  const categories = page.getByRole("region", { name: "Product Categories" });
  await categories.getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Products by Category" })).toBeVisible();
  const card = cardOf(page, laptop);
  await expect(card).toContainText("Resale Price");
  await expect(card.getByRole("button", { name: /Book Now|Report/ })).toHaveCount(0);
  await card.getByRole("link", { name: "Book Now" }).click();
  await expect(page.getByText("Booking needs JavaScript")).toBeVisible();
  await page.goBack();
  await card.getByRole("heading").getByRole("link").click();

  await test.step("a laptop's page shows the facts, hides Share, and explains that booking needs JavaScript", async () => {
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(laptop.product_name);
    await expect(page.getByText(laptop.description).first()).toBeVisible();
    await expect(page.getByRole("row", { name: "Purchase Year" })).toContainText("2024");
    await expect(page.getByRole("button", { name: "Share" })).toBeHidden();
    await expect(page.getByText("Booking needs JavaScript")).toBeVisible();
    const offer = page.locator(".laptop");
    await expect(offer.getByRole("button", { name: "Book Now" })).toBeHidden();
    await offer.getByRole("link", { name: "Book Now" }).click();
    await expect(page).toHaveURL(`${path}?book=${laptop._id}`);
    await expect(page.getByText("even if you are logged in")).toBeVisible();
  });

  await test.step("photos are a scrollable strip with working thumbnails, and a photo links to its file", async () => {
    await page.getByRole("link", { name: "Photo 2", exact: true }).click();
    await expect(page.locator("#photo-2")).toBeInViewport({ ratio: 0.9 });
    await expect(page.locator("#photo-1")).not.toBeInViewport({ ratio: 0.01 });
    const file = await page.locator("#photo-2").getByRole("link").getAttribute("href");
    const answer = await page.request.get(String(file));
    expect(answer.headers()["content-type"]).toBe("image/jpeg");
  });
  for (const name of ["Terms of use", "Blogs"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  }
  await test.step("§2.3.2: Blogs has four questions with answers", () => expectAnswers(page));
});

async function expectAnswers(page: Page): Promise<void> {
  const cards = page.getByRole("article");
  const topics = [
    /state.*React/i,
    /prototypal inheritance/i,
    /unit test/i,
    /React vs Angular vs Vue/i,
  ];
  await expect(cards).toHaveCount(topics.length);
  for (const [index, topic] of topics.entries()) {
    await expect(cards.nth(index).getByRole("heading")).toHaveText(topic);
    await expect(cards.nth(index)).toHaveText(/.{500,}/s);
  }
}

test("search, filters, sorting, paging and Compare work without scripts, and an impossible price range shows an error", async ({
  page,
  seller,
}) => {
  await page.goto("/");
  await search(page, "laptop 16gb");
  await expect(page).toHaveURL(/\/search\?q=laptop\+16gb/);
  await expect(page.getByRole("article")).toHaveCount(12);
  const first = await page.getByRole("article").first().textContent();
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(page.getByRole("article").first()).not.toHaveText(String(first));
  await sortBy(page, "Lowest price");
  await expect(page).toHaveURL(/sort=price/);
  await page.getByRole("navigation", { name: "Category" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/category=/);
  await page.getByLabel("Highest price ($)").fill("400");
  await page.getByRole("button", { name: "Apply: Price" }).click();
  await expect(page).toHaveURL(/maxPrice=400/);
  await expect(page.getByRole("main").getByRole("status").first()).toContainText("laptop");
  await page.getByLabel("Lowest price ($)").fill("500");
  await page.getByRole("button", { name: "Apply: Price" }).click();
  await expect(page.getByRole("main")).toContainText(
    "The highest price can't be below the lowest price.",
  );

  await test.step("Compare works from search results and shows a missing laptop as no longer available", async () => {
    const product_name = `ThinkPad ${randomWord()}`;
    for (const resale_price of [250, 750]) await listLaptop(seller, { product_name, resale_price });
    await search(page, product_name);
    const cards = page.getByRole("article");
    for (const card of [cards.nth(0), cards.nth(1)])
      await card.getByRole("checkbox", { name: "Compare" }).check();
    await page.locator("#compare").getByRole("button", { name: "Compare" }).click();
    await expect(page.getByRole("link", { name: /^Remove: / })).toHaveCount(2);
    await expect(page.getByRole("cell", { name: "$250 (best)" })).toBeVisible();
    await page.goto(`${page.url()}&ids=01935a00-0000-7000-8000-000000000001`);
    await expect(page.getByText("No longer available")).toBeVisible();
  });

  await test.step("a category's filters and sorting work without scripts", async () => {
    const { category } = await listLaptop(seller);
    await page.goto(`/categoryProducts/${category}`);
    await page.getByRole("link", { name: "Filters" }).click();
    await expect(page).toHaveURL(/sort=newest/);
    const memory = page.getByRole("navigation", { name: "Memory" });
    await memory.getByRole("link", { name: /^16 GB/ }).click();
    await expect(page).toHaveURL(/ram=16/);
    await sortBy(page, "Lowest price");
    await expect(page).toHaveURL(/ram=16&sort=price|sort=price&ram=16/);
    await expect(page.getByRole("article").first()).toBeVisible();
  });
});

test("a password submitted without JavaScript does not appear in the URL", async ({ page }) => {
  for (const path of ["/login", "/signup"]) {
    await page.goto(path);
    await page.getByLabel("Password", { exact: true }).fill("Secret#2026");
    await page.getByRole("main").locator("[type=submit]").click();
    await page.waitForLoadState();
    await expect(page).toHaveURL(path);
    await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
  }
});

async function search(page: Page, text: string): Promise<void> {
  await page.getByLabel("Search laptops").fill(text);
  await page.getByLabel("Search laptops").press("Enter");
}

async function sortBy(page: Page, order: string): Promise<void> {
  await page.getByRole("combobox", { name: "Sort by" }).selectOption(order);
  await page.getByRole("button", { name: "Sort", exact: true }).click();
}
