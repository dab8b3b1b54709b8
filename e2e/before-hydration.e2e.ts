/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { toggleAdvertise } from "#contract/products.ts";
import { demoAccounts, listLaptop } from "./accounts.ts";
import { cardOf, fillLogin, test, toastOf, waitForApp, waitForHydration } from "./fixtures.ts";
import { delayResponses } from "./network.ts";

function delayScripts(page: Page): Promise<() => void> {
  return delayResponses(page, "**/assets/*.js");
}

test.describe("before the page's scripts have loaded", () => {
  test("early clicks on the carousel and on Book Now take effect after hydration", async ({
    page,
    seller,
    laptop,
  }) => {
    const release = await delayScripts(page);
    await page.goto("/");
    // With a new laptop, the browser renders the server's carousel and lists again.
    await seller.call(toggleAdvertise, { body: { id: laptop._id, advertiseStatus: false } });
    const carousel = page.getByRole("region", { name: "About Secondlap" });
    await carousel.getByRole("button", { name: "Slide 3" }).click();
    release();
    const third = carousel.locator("[aria-roledescription=slide]").nth(2);
    await expect(third).toBeInViewport({ ratio: 0.5 });

    await test.step("an early click on Book Now takes effect once the laptops have loaded", async () => {
      const answer = await delayResponses(page, "**/api/advertisedProducts*");
      await page.reload();
      await waitForApp(page);
      await cardOf(page, laptop).getByRole("button", { name: "Book Now" }).click();
      await expect(page).toHaveURL("/");
      answer();
      await expect(page).toHaveURL(/\/login\?from=%2F%3Fbook%3D/);
    });
  });

  test("an email typed into Login before hydration carries over to Forgot Password, and text typed into Sign up is kept and validated", async ({
    page,
  }) => {
    const release = await delayScripts(page);
    await page.goto("/login");
    await page.getByLabel("Email").fill(demoAccounts.buyer.email);
    await page.getByRole("link", { name: "Forget Password?" }).click();
    await expect(page).toHaveURL("/login");
    release();
    await expect(page).toHaveURL("/forgot-password");
    await expect(page.getByLabel("Email")).toHaveValue(demoAccounts.buyer.email);

    const releaseAgain = await delayScripts(page);
    await page.goto("/signup");
    await page.getByLabel("Name").fill("Ada Early");
    await page.getByLabel("Account Type").selectOption("Seller");
    await page.getByLabel("Email").pressSequentially("ada@example");
    releaseAgain();
    await waitForHydration(page);
    await page.getByLabel("Email").pressSequentially(".com");
    await expect(page.getByLabel("Name")).toHaveValue("Ada Early");
    await expect(page.getByLabel("Account Type")).toHaveValue("seller");
    await expect(page.getByLabel("Email")).toHaveValue("ada@example.com");
    await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByText("Password is required.")).toBeVisible();
    await expect(page.getByText("Name is Required.")).toHaveCount(0);
  });
});

test.describe("when search results re-render", () => {
  test("a search filter keeps focus and its typed text when the results re-render", async ({
    page,
    seller,
  }) => {
    const release = await delayResponses(page, "**/api/search?*");
    await page.goto("/search?sort=newest");
    await waitForApp(page);
    await page.getByLabel("Distance from the town").selectOption("Within 100 miles");
    const town = page.getByLabel("Near this town");
    await town.pressSequentially("Seat");
    const oldTown = await town.elementHandle();
    // With a new laptop, the browser's search response differs from the server-rendered markup.
    await listLaptop(seller);
    await test.step("the focused field is replaced, and typing continues in the new field", async () => {
      release();
      await expect.poll(() => oldTown?.evaluate((field) => field.isConnected)).toBe(false);
      await expect(page.locator("[data-hydrating]")).toHaveCount(0);
      await page.keyboard.type("tle");
      await expect(town).toHaveValue("Seattle");
    });
    await page.getByRole("button", { name: "Apply: Place" }).click();
    await expect(page).toHaveURL(/near=Seattle&within=161/);

    await test.step("a focused field that is replaced before any typing keeps focus, and its text stays selected", async () => {
      const releaseAgain = await delayResponses(page, "**/api/search?*");
      await page.goto("/search?sort=newest&maxPrice=900");
      await waitForApp(page);
      const price = page.getByLabel("Highest price ($)");
      await price.selectText();
      const oldPrice = await price.elementHandle();
      await listLaptop(seller, { resale_price: 100 });
      releaseAgain();
      await expect.poll(() => oldPrice?.evaluate((field) => field.isConnected)).toBe(false);
      await expect(page.locator("[data-hydrating]")).toHaveCount(0);
      await page.keyboard.type("950");
      await expect(price).toHaveValue("950");
    });

    await test.step("a search filter is submitted even if its button is replaced while the mouse is down", async () => {
      const releaseAgain = await delayResponses(page, "**/api/search?*");
      await page.goto("/search?sort=newest");
      await waitForApp(page);
      await town.fill("Seattle");
      const apply = page.getByRole("button", { name: "Apply: Place" });
      const oldButton = await apply.elementHandle();
      await listLaptop(seller);
      await apply.hover();
      await page.mouse.down();
      releaseAgain();
      await expect.poll(() => oldButton?.evaluate((button) => button.isConnected)).toBe(false);
      await page.mouse.up();
      await expect(page).toHaveURL(/near=Seattle/);
    });
  });
});

test.describe("when the page's scripts fail", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test("a Login form submitted while the scripts can't be fetched is sent after the scripts load", async ({
    page,
  }) => {
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto("/login");
    await fillLogin(page, demoAccounts.buyer);
    // Waits for a script request to fail after the click.
    await page.waitForEvent("requestfailed");
    await page.unroute("**/assets/*.js");
    await expect(toastOf(page, "Login Successful.")).toBeVisible();
  });
});
