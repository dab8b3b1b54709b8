/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { listLaptop, randomWord } from "./accounts.ts";
import { cardOf, signIn, submitBooking, test, waitForHydration } from "./fixtures.ts";

const sentence = "16 GB ThinkPad under $500 with a good battery";

const sortOrder = (page: Page) => page.getByRole("combobox", { name: "Sort by" });

function searchBox(page: Page) {
  return page.getByLabel("Search laptops");
}

async function searchFor(page: Page, text: string): Promise<void> {
  await searchBox(page).fill(text);
  await searchBox(page).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(text);
}

/** Presses "/" before React runs the new page's `useEffect` callbacks. */
function pressSlashOnNewPage(page: Page, words: string): Promise<void> {
  return page.evaluate(
    (heading) =>
      new Promise<void>((resolve) => {
        const changes = new MutationObserver(() => {
          if (document.querySelector("h1")?.textContent !== heading) return;
          changes.disconnect();
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
          resolve();
        });
        changes.observe(document.body, { childList: true, subtree: true });
      }),
    words,
  );
}

function found(page: Page) {
  return page.getByRole("main").getByRole("status").first();
}

test("a search sentence typed on another page becomes filters that can be removed", async ({
  page,
}) => {
  await page.goto("/blogs");
  await waitForHydration(page);
  await test.step("search suggestions are chosen by keyboard, and a late response does not replace newer suggestions", () =>
    chooseSuggestion(page));
  const pressed = pressSlashOnNewPage(page, "Blogs");
  await page.getByRole("link", { name: "Blogs" }).first().click();
  await pressed;
  await expect(page.getByRole("heading", { level: 1, name: "Blogs" })).toBeVisible();
  await expect(searchBox(page)).toBeFocused();
  await page.keyboard.type(sentence);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=16/);
  await expect(page.getByRole("article").first()).toContainText("ThinkPad");
  const filters = page.getByRole("navigation", { name: "Filters in use" });
  await expect(filters.getByRole("link")).toHaveText([
    "ThinkPad",
    "16 GB RAM",
    "up to $500",
    "battery at least 80%",
  ]);
  await filters.getByRole("link", { name: "Remove filter: up to $500" }).click();
  await expect(filters.getByRole("link")).toHaveText([
    "ThinkPad",
    "16 GB RAM",
    "battery at least 80%",
  ]);
  await expect(searchBox(page)).toHaveValue("16 gb thinkpad with a good battery");
  await filters.getByRole("link", { name: "Remove filter: ThinkPad" }).click();
  await expect(filters.getByRole("link")).toHaveText(["16 GB RAM", "battery at least 80%"]);
  await expect(searchBox(page)).toHaveValue("16 gb with a good battery");

  await test.step("a filter parsed from the search text is highlighted, and removing it also removes its words", async () => {
    await searchFor(page, "laptop 16 gb");
    const sizes = page.getByRole("navigation", { name: "Memory" });
    const chosen = sizes.locator("[aria-current=true]");
    await expect(chosen).toHaveText("16 GB");
    await expect(chosen).toHaveCSS("font-weight", "600");
    await sizes.getByRole("link", { name: /^8 GB/ }).click();
    await expect(page).toHaveURL(/q=laptop\+16\+gb&ram=16%2C8$/);
    await expect(chosen).toHaveCount(2);
    await page.goBack();
    await expect(chosen).toHaveCount(1);
    await chosen.click();
    await expect(page).toHaveURL(/\/search\?q=laptop$/);
    await expect(chosen).toHaveCount(0);
  });
});

async function chooseSuggestion(page: Page): Promise<void> {
  const suggested = (texts: string[]) => ({
    json: { items: texts.map((text) => ({ text, kind: "word" })) },
  });
  const { promise: late, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/suggestions?q=th", async (route) => {
    await late;
    await route.fulfill(suggested(["thorium"])).catch(() => {});
  });
  await page.route("**/api/suggestions?q=thi", (route) =>
    route.fulfill(suggested(["thinkpad", "thinkbook"])),
  );
  await page.keyboard.press("Control+k");
  await page.keyboard.type("thi");
  const options = page.getByRole("option");
  await expect(options).toHaveText(["thinkpad", "thinkbook"]);
  release();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { selected: true })).toHaveText("thinkbook");
  await expect(options).toHaveText(["thinkpad", "thinkbook"]);
  await page.keyboard.press("Escape");
  await expect(options).toHaveCount(0);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  // The new page replaces the search box, which would lose its focus in the next step.
  await expect(page.getByRole("heading", { level: 1 })).toContainText("thinkpad");
}

test("Back restores the search results and the scroll position, and a search that finds two laptops has no price chart", async ({
  page,
  seller,
}) => {
  const prices = page.getByRole("img", { name: /^Laptops by price/ });
  await page.goto("/search");
  await expect(prices).toBeVisible();
  await waitForHydration(page);
  await page.getByRole("link", { name: "16 GB", exact: false }).first().click();
  await expect(page).toHaveURL(/ram=16/);
  const filters = page.getByRole("navigation", { name: "Filters in use" });
  await expect(filters.getByRole("link")).toHaveText(["16 GB RAM"]);
  const last = page.getByRole("article").last();
  await last.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(500);
  await page
    .getByRole("link", { name: "Blogs" })
    .first()
    .evaluate((link) => (link as HTMLElement).click());
  await expect(page).toHaveURL(/blogs/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(last).toBeInViewport();
  const product_name = `ThinkPad ${randomWord()}`;
  for (const resale_price of [250, 750]) await listLaptop(seller, { product_name, resale_price });
  await searchFor(page, product_name);
  await expect(found(page)).toContainText("2 laptops");
  await expect(prices).toHaveCount(0);
});

test("a search near a town shows distances, and links to other towns with the same name", async ({
  page,
}) => {
  await page.goto("/search?q=laptop+near+portland&sort=distance");
  const filters = page.getByRole("navigation", { name: "Filters in use" });
  await expect(filters.getByRole("link")).toHaveText(["within 30 miles of Portland, Oregon"]);
  await expect(page.getByRole("article").first()).toContainText("Portland, OR (in the town)");
  await waitForHydration(page);
  await page.getByLabel("Near this town").fill("Seattle");
  await page.getByLabel("Distance from the town").selectOption("Within 100 miles");
  await page.getByRole("button", { name: "Apply: Place" }).click();
  await expect(filters.getByRole("link")).toHaveText(["within 100 miles of Seattle, Washington"]);
  await test.step("clearing the town also stops sorting by distance", async () => {
    await expect(sortOrder(page)).toHaveValue("distance");
    await page.getByLabel("Near this town").fill("");
    await page.getByRole("button", { name: "Apply: Place" }).click();
    await expect(sortOrder(page)).toHaveValue("relevance");
    await expect(page.getByRole("article").first()).toBeVisible();
  });
  await page.goBack();
  await expect(sortOrder(page)).toHaveValue("distance");
  await page.goBack();
  const towns = page.getByRole("navigation", { name: "Towns of the same name" });
  await expect(towns).toContainText("Did you mean:");
  await towns.getByRole("link", { name: "Portland, Maine" }).click();
  await expect(page).toHaveURL(/near=Portland%2C\+Maine/);
  const leftOut = "within 30 miles of Portland, Maine (left out)";
  await expect(filters.getByRole("link")).toHaveText([leftOut]);
  await filters.getByRole("link").click();
  await expect(page).not.toHaveURL(/near=|sort=distance/);
});

test("search, sorting, filters and Book Now work with the keyboard alone", async ({
  page,
  buyer,
  laptop,
}) => {
  await signIn(page, buyer);
  await page.goto("/search");
  await waitForHydration(page);
  await page.keyboard.press("/");
  await page.keyboard.type(laptop.product_name);
  await page.keyboard.press("Enter");
  // The sort form includes the search text only after the page has rendered the results.
  await expect(page.getByRole("heading", { level: 1 })).toContainText(laptop.product_name);
  await sortOrder(page).focus();
  await page.keyboard.type("Newest");
  await expect(page).toHaveURL(/q=.*&sort=newest/);
  const sortOfPrice = page.getByRole("region", { name: "Filters" }).locator("[name=sort]");
  await expect(sortOfPrice.first()).toHaveValue("newest");
  await page.getByLabel("Highest price ($)").focus();
  await page.keyboard.type("900");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/maxPrice=900/);
  const book = cardOf(page, laptop).getByRole("button", { name: "Book Now" });
  await book.focus();
  await expect(book).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page).toHaveURL(/q=.*&sort=newest.*&book=/);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/^(?!.*book=).*sort=newest/);
  await book.press("Enter");
  await submitBooking(page);
  await expect(page.getByRole("heading", { name: "My Orders" })).toBeVisible();
  await expect(page.getByText(laptop.product_name).first()).toBeVisible();
});

test("a category page can be filtered and sorted like the search, and Back returns to the full list", async ({
  page,
  buyer,
  laptop,
}) => {
  await signIn(page, buyer);
  await page.goto(`/categoryProducts/${laptop.category}`);
  await expect(cardOf(page, laptop)).toBeVisible();
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await page
    .getByRole("navigation", { name: "Memory" })
    .getByRole("link", { name: /^16 GB/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`${laptop.category}\\?ram=16$`));
  const sheet = page.getByRole("region", { name: "Filters", exact: true });
  await test.step("the filter sheet stays open for the next choice, with focus on the chosen filter", () =>
    expect(sheet.getByRole("link", { name: /^16 GB/ })).toBeFocused());
  await test.step("a wrong price is refused at its field, and the sheet stays open", async () => {
    const highest = sheet.getByLabel("Highest price ($)");
    const refused = sheet.locator("input:invalid");
    await sheet.getByLabel("Lowest price ($)").fill("900");
    for (const wrong of ["1,200", "300"]) {
      await highest.fill(wrong);
      await highest.press("Enter");
      await expect(refused).toHaveAttribute("name", "maxPrice");
    }
    const message = "The highest price can't be below the lowest price.";
    await expect(highest).toHaveJSProperty("validationMessage", message);
    await highest.fill("1200");
    await expect(refused).toHaveCount(0);
  });
  await sheet.getByRole("button", { name: /^Show/ }).click();
  const filters = page.getByRole("navigation", { name: "Filters in use" });
  await expect(filters.getByRole("link")).toHaveText(["16 GB RAM"]);
  await expect(page.getByRole("navigation", { name: "Category" })).toHaveCount(0);
  await sortOrder(page).selectOption("Lowest price");
  await expect(page).toHaveURL(/sort=price/);
  await expect(page.getByRole("heading", { name: "Products by Category" })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${laptop.category}$`));
  await expect(cardOf(page, laptop)).toBeVisible();
});

test("a search without matches drops a filter or a word and says which, but a lone nonsense word finds nothing", async ({
  page,
}) => {
  await page.goto("/search?q=thinkpad&ram=1");
  await expect(found(page)).toContainText(
    "No laptop matches everything. These match all but “1 GB RAM”.",
  );
  const leftOut = page.getByRole("link", { name: "Remove filter: 1 GB RAM (left out)" });
  await expect(leftOut).toHaveText("1 GB RAM (left out)");
  await expect(leftOut).toHaveCSS("border-style", "dashed");
  const sizes = page.getByRole("navigation", { name: "Memory" });
  await expect(sizes.getByRole("link", { name: /^1 GB \(left out\)/ })).toBeVisible();
  await expect(sizes.locator("[aria-current]")).toHaveCount(0);
  await expect(page.getByRole("article").first()).toContainText("ThinkPad");
  await waitForHydration(page);
  await searchFor(page, "thinkpad qqqqwwww");
  await expect(found(page)).toContainText(
    "No laptop matches all of your words; these match some. None of them has “qqqqwwww”.",
  );
  await expect(sortOrder(page)).toBeVisible();
  await searchFor(page, "qqqqwwww");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await expect(sortOrder(page)).toHaveCount(0);
});
