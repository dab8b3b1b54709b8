import { expect, type Page } from "@playwright/test";
import { listCategories } from "#contract/categories.ts";
import { readConfig } from "#contract/config.ts";
import { toggleAdvertise } from "#contract/products.ts";
import { listLaptop } from "./accounts.ts";
import { signIn, test, toastOf, waitForHydration } from "./fixtures.ts";

test.describe("Home", () => {
  test("§1.1 §1.2 §1.3 §1.4 §2.3.1: Home shows a carousel, advertised laptops, categories and a promo", async ({
    page,
    seller,
    demoMembers,
  }) => {
    const prices = { resale_price: 4300, original_price: 1500 };
    const laptop = await listLaptop(seller, prices);
    await seller.call(toggleAdvertise, { body: { id: laptop._id, advertiseStatus: false } });
    await signIn(page, demoMembers.buyer);
    await page.clock.install();
    await page.goto("/");
    const carousel = page.getByRole("region", { name: "About Secondlap" });
    const slides = carousel.locator("[aria-roledescription=slide]");
    const play = carousel.getByRole("button", { name: "Play slideshow", exact: true });
    await expect(play).toBeVisible();
    await page.clock.runFor(20_000);
    await expect(slides).toHaveCount(3);
    await expect(slides.first().getByRole("heading")).toHaveText(
      "Welcome to Secondlap Used laptops, paid safely, handed over in person",
    );
    await expect(slides.first()).toBeInViewport({ ratio: 0.5 });
    await carousel.getByRole("button", { name: "Next slide" }).click();
    await expect(slides.nth(1)).toBeInViewport({ ratio: 0.5 });
    await carousel.getByRole("button", { name: "Slide 3" }).click();
    await expect(slides.nth(2)).toBeInViewport({ ratio: 0.5 });
    await carousel.getByRole("button", { name: "Next slide" }).click();
    await expect(slides.first()).toBeInViewport({ ratio: 0.5 });
    await carousel.getByRole("button", { name: "Previous slide" }).click();
    await expect(slides.nth(2)).toBeInViewport({ ratio: 0.5 });

    await test.step("a laptop that costs more than it did new appears without a saving, and not in the carousel", async () => {
      const items = page.getByRole("region", { name: "Advertised Items" });
      const card = items.getByRole("article").filter({ hasText: laptop.product_name });
      await expect(card).toContainText("$4,300");
      await expect(card).not.toContainText("Save");
      await expect(carousel).not.toContainText(laptop.product_name);
    });

    await test.step("§1.3 §2.4.3: Home shows the categories", async () => {
      const categories = await demoMembers.admin.call(listCategories, {});
      const cards = page.getByRole("region", { name: "Product Categories" }).getByRole("link");
      const names = categories.map(({ product_category }) => product_category);
      await expect.soft(cards).toHaveText(names);
      const addresses = await cards.evaluateAll((all) => all.map((a) => a.getAttribute("href")));
      expect.soft(addresses).toEqual(categories.map(({ _id }) => `/categoryProducts/${_id}`));
    });

    await test.step("§1.4 §9.6 §10.3: a promo shows three offers, and its button Join Us sends a member's invitation", async () => {
      const config = await demoMembers.admin.call(readConfig, {});
      await expectPromo(page, config.invitations.promo.sentence);
    });

    await test.step("§1.2: Home hides Advertised Items when no laptop is advertised, and shows a message when there are no categories", async () => {
      await page.route("**/api/{advertisedProducts,categories}*", (route) =>
        route.fulfill({ json: [] }),
      );
      await page.reload();
      await expect(page.getByRole("heading", { name: "Advertised Items" })).toBeHidden();
      await expect(page.getByRole("heading", { name: "No categories yet" })).toBeVisible();
      await expect(page.getByRole("heading", { name: "Product Categories" })).toBeVisible();
    });
  });

  test.describe("with animations enabled", () => {
    test.use({ reducedMotion: "no-preference" });

    test("§1.1: Home's carousel advances until the visitor pauses it", async ({ page }) => {
      await page.clock.install();
      await page.goto("/");
      await waitForHydration(page);
      const carousel = page.getByRole("region", { name: "About Secondlap" });
      const slides = carousel.locator("[aria-roledescription=slide]");
      const stop = carousel.getByRole("button", { name: "Pause slideshow" });
      await expect(stop).toBeVisible();
      await page.clock.fastForward(8_000);
      await stop.click();
      await expect(slides.nth(1)).toBeInViewport({ ratio: 0.5 });
      const stopped = carousel.getByRole("button", {
        name: "Play slideshow",
        exact: true,
      });
      await page.mouse.move(0, 0);
      await stopped.blur();
      await page.clock.runFor(20_000);
      await expect(slides.nth(1)).toBeInViewport({ ratio: 0.5 });
    });
  });
});

async function expectPromo(page: Page, sentence: string): Promise<void> {
  const promo = page.getByRole("region", { name: "Invite a friend" });
  await expect
    .soft(promo)
    .toContainText(
      "Get $10 off for inviting a friend. They get 15% off their first purchase over $200 (up to $150), and you get $20 off your next one.",
    );
  await expect
    .soft(promo.getByRole("listitem"))
    .toHaveText([
      /^\$10\s*off, for inviting a friend$/,
      /^15%\s*off their first purchase over \$200$/,
      /^\$20\s*off your next purchase$/,
    ]);
  await expect.soft(promo).toContainText(sentence);
  // Until the session is known, Join Us only opens Invitations.
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
  await promo.getByLabel("Your friend's email address").fill("friend@example.com");
  await promo.getByRole("button", { name: "Join Us", exact: true }).click();
  await expect(toastOf(page, "An invitation is on its way to friend@example.com.")).toBeVisible();
}
