/// <reference lib="dom" />
import { expect, type Locator } from "@playwright/test";
import { listLaptop } from "./accounts.ts";
import { cardOf, signIn, signInAs, spinnerOf, test } from "./fixtures.ts";
import { delayResponses } from "./network.ts";

test.describe("the category page", () => {
  test("§2.3.3 §2.4.2: the category page shows a spinner until the session and the products have loaded", async ({
    page,
    demoMembers,
    seller,
  }) => {
    const description = "Battery at 91 %, one key is shiny, charger and sleeve included. "
      .repeat(9)
      .trim();
    const facts = { battery_health: 91 };
    const changes = { resale_price: 449.5, original_price: 1299, description, facts };
    const before = today();
    const laptop = await listLaptop(seller, changes);
    const days = new Set([before, today()]);
    const card = cardOf(page, laptop);
    await signIn(page, demoMembers.buyer);
    const releaseSession = await delayResponses(page, "**/api/auth/get-session");
    const release = await delayResponses(page, "**/api/categoryProducts/**");
    const asked = page.waitForRequest("**/api/categoryProducts/**");
    const session = page.waitForResponse("**/api/auth/get-session");
    await page.goto(`/categoryProducts/${laptop.category}`);
    await expect(spinnerOf(page)).toBeVisible();
    releaseSession();
    await Promise.all([asked, session]);
    await expect(spinnerOf(page)).toBeVisible();
    await expect(page.getByRole("heading", { name: "Products by Category" })).toBeHidden();
    release();
    await expect(page.getByRole("heading", { name: "Products by Category" })).toBeVisible();
    await expect(card).toBeVisible();
    const categories = page.getByRole("navigation", { name: "Categories" }).getByRole("link");
    const [brand, other] = await categories.allTextContents();
    await expect(page).toHaveTitle(`Products by Category: ${brand} · Secondlap`);
    await categories.nth(1).click();
    await expect(page).toHaveTitle(`Products by Category: ${other} · Secondlap`);
    await page.goBack();
    await expect(page).toHaveTitle(`Products by Category: ${brand} · Secondlap`);
    await expect(card).toBeVisible();

    await test.step("§2.3.3: Products by Category is the page's largest heading", async () => {
      const title = page.getByRole("heading", { level: 1, name: "Products by Category" });
      const brandName = page.getByRole("heading", { level: 2, name: String(brand) });
      await expect.poll(async () => (await sizeOf(title)) > (await sizeOf(brandName))).toBe(true);
    });

    await test.step("§2.4.1: the product grid has one, two or three columns, depending on the window's width", async () => {
      const cards = page.getByRole("article");
      await expect(cards.nth(2)).toBeVisible();
      for (const [width, columns] of [
        [390, 1],
        [768, 2],
        [1440, 3],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        const lefts = () =>
          cards.evaluateAll((all) => [
            ...new Set(all.map((card) => card.getBoundingClientRect().left)),
          ]);
        await expect.soft.poll(lefts).toHaveLength(columns);
      }
    });

    await test.step("§2.5.1 §9.4 §9.7: a card shows image, name, seller, prices, condition, year, duration and location", async () => {
      await expect.soft(card.getByRole("img", { name: laptop.product_name })).toBeVisible();
      await expect.soft(card.getByRole("heading")).toHaveText(laptop.product_name);
      await expect.soft(card.getByText(seller.name, { exact: true })).toBeVisible();
      await expect.soft(factOf(card, "Resale Price")).toHaveText("$449.50");
      await expect.soft(factOf(card, "Original Price")).toContainText("$1,299");
      await expect.soft(card).toContainText("Save $849.50 (65%)");
      const condition = ["Good", "Light signs of use. Everything works."];
      await expect.soft(factsOf(card, "Condition")).toHaveText(condition);
      await expect.soft(factsOf(card, "Battery")).toHaveText(["91%"]);
      await expect.soft(factOf(card, "Purchase Year")).toHaveText("2024");
      await expect.soft(factOf(card, "Use Duration")).toHaveText("30 months");
      await expect.soft(factOf(card, "Location")).toHaveText("Leeds");
    });

    await test.step("§2.5.4: the Date of Post is in medium date format", async () => {
      await expect
        .soft(factOf(card, "Date of Post"))
        .toHaveText(new RegExp(`^(${[...days].join("|")})$`));
    });

    await test.step("§2.5.3 §9.5: the description is clamped to two lines, with the full text on hover", async () => {
      const text = card.getByTitle(description);
      await expect.soft(text).toBeVisible();
      const lines = await text.evaluate((element) => {
        const { lineHeight } = getComputedStyle(element);
        return element.clientHeight / Number.parseFloat(lineHeight);
      });
      expect.soft(Math.round(lines)).toBe(2);
    });

    await test.step("§2.5.5 §6.2: Report and Book Now are enabled for buyers", async () => {
      for (const name of ["Report", "Book Now"])
        await expect.soft(card.getByRole("button", { name, exact: true })).toBeEnabled();
    });
  });

  test("§2.5.5 §6.3 §6.4: Report and Book Now are disabled for sellers and admins, and the card says why", async ({
    page,
    newSeller,
    laptop,
    demoMembers,
  }) => {
    const own = await listLaptop(newSeller);
    for (const role of ["admin", "seller"] as const) {
      await signInAs(page, role === "admin" ? demoMembers.admin : newSeller);
      await page.goto(`/categoryProducts/${laptop.category}`);
      const card = cardOf(page, laptop);
      await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
      const why = `You're signed in as ${role === "admin" ? "an admin" : "a seller"}. Only buyers can book or report.`;
      await expect(card.getByText(why)).toBeVisible();
      for (const name of ["Report", "Book Now"]) {
        const button = card.getByRole("button", { name, exact: true });
        await expect(button).toBeDisabled();
        await expect(button).toHaveAccessibleDescription(`${laptop.product_name} ${why}`);
      }
    }
    await test.step("a card tells the seller that the listing is theirs", async () => {
      await expect(cardOf(page, own)).toContainText(
        "This is your listing. Only buyers can book or report it.",
      );
    });
  });
});

/** Finds all of a fact's `dd` elements, up to the next `dt`. */
function factsOf(card: Locator, name: string): Locator {
  return card.locator(`xpath=.//dd[preceding-sibling::dt[1][. = "${name}"]]`);
}

function factOf(card: Locator, name: string): Locator {
  return card.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]");
}

function today(): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format();
}

function sizeOf(text: Locator): Promise<number> {
  return text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
}
