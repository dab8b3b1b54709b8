/// <reference lib="dom" />
import { expect, type Locator, type Page } from "@playwright/test";
import { reportProduct } from "#contract/reports.ts";
import { paths } from "#web/paths.ts";
import {
  bookLaptop,
  demoAccounts,
  type Laptop,
  listLaptop,
  newCredentials,
  registerMember,
} from "./accounts.ts";
import {
  cardOf,
  dashboardMenu,
  fillLogin,
  navigateOnClient,
  signIn,
  signInAs,
  test,
  toastOf,
  waitForHydration,
} from "./fixtures.ts";

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, expectedErrors: [/status of 400/] });

  test("on search and category pages, the first result starts in the upper half, and filters open as a sheet", async ({
    buyerPage: page,
    seller,
  }) => {
    const laptop = await listLaptop(seller, { description: "A line of many.\n".repeat(60) });
    await page.goto("/search?q=thinkpad");
    await expectFirstResultInUpperHalf(page);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    const sheet = page.locator("#filters");
    const done = sheet.getByRole("button", { name: /^Show \d+ laptops?$/ });
    await expect(done).toBeInViewport({ ratio: 1 });
    const before = await done.textContent();
    await sheet.getByRole("navigation", { name: "Memory" }).getByRole("link").first().click();
    await expect(done).not.toHaveText(String(before));
    await done.click();
    await expect(sheet).toBeHidden();
    await expect(page.getByRole("navigation", { name: "Filters in use" })).toBeVisible();

    const category = `/categoryProducts/${laptop.category}`;
    await navigateOnClient(page, category);
    await expect(
      page.getByRole("heading", { level: 1, name: "Products by Category" }),
    ).toBeVisible();
    await expect(cardOf(page, laptop)).toBeVisible();
    await expectFirstResultInUpperHalf(page);
    await navigateOnClient(page, `${category}?book=${laptop._id}`);
    await test.step("on a phone, the booking dialog's fields and Submit button are fully visible", () =>
      expectWholeForm(page.getByRole("dialog", { name: laptop.product_name })));
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 844 });
    await cardOf(page, laptop).getByRole("heading").getByRole("link").click();
    await test.step("on a phone, a laptop's page, even when scrolled, shows a bar with the price and Book Now instead of the shortcuts", () =>
      expectBookBar(page, laptop));
  });

  test.describe(() => {
    test.use({ role: "admin" });

    test("the dashboard's menu shows the current entry, and fades out where more follows", async ({
      page,
    }) => {
      await page.goto("/dashboard/auditLog");
      const menu = dashboardMenu(page);
      const current = menu.getByRole("link", { name: "Audit Log" });
      await expect(current).toBeInViewport({ ratio: 1 });
      await test.step("the menu still shows the current entry after the phone is turned to landscape and back", async () => {
        for (const [width, height] of [
          [844, 390],
          [390, 844],
        ] as const) {
          await page.setViewportSize({ width, height });
          await expect(current).toBeInViewport({ ratio: 1 });
        }
      });
      const row = menu.getByRole("list");
      const fadesAtBothSides = /^linear-gradient\(90deg, (rgba\(0, 0, 0, 0\)).*\1\)$/;
      await expect(row).toHaveCSS("mask-image", fadesAtBothSides);
      await row.evaluate((list) => list.scrollTo(0, 0));
      const first = await menu.getByRole("link", { name: "All Sellers" }).boundingBox();
      expect(first?.x).toBeGreaterThanOrEqual(10);
      await row.evaluate((list) => list.scrollTo(list.scrollWidth, 0));
      const last = await menu.getByRole("link", { name: "Profile" }).boundingBox();
      expect((last?.x ?? 390) + (last?.width ?? 0)).toBeLessThanOrEqual(390 - 32);
    });
  });
});

async function expectFirstResultInUpperHalf(page: Page): Promise<void> {
  const card = page.getByRole("article").first();
  await expect(card).toBeVisible();
  await expect.poll(async () => (await card.boundingBox())?.y, page.url()).toBeLessThan(844 / 2);
}

async function expectWholeForm(dialog: Locator): Promise<void> {
  const submit = dialog.getByRole("button", { name: "Submit" });
  for (const [width, height] of [
    [390, 664],
    [360, 640],
  ] as const) {
    await dialog.page().setViewportSize({ width, height });
    await expect(submit).toBeInViewport({ ratio: 1 });
    const description = dialog.getByText("A line of many.");
    await expect(description).toHaveCSS("-webkit-line-clamp", "2");
    const price = await dialog.getByLabel("Price", { exact: true }).boundingBox();
    const phone = await dialog.getByText("Phone", { exact: true }).boundingBox();
    expect((phone?.y ?? 0) - (price?.y ?? 0) - (price?.height ?? 0)).toBeGreaterThan(9);
    for (const label of ["Name", "Email", "Price", "Phone", "Meeting Location"])
      await expect(dialog.getByLabel(label, { exact: true })).toBeInViewport({ ratio: 1 });
  }
  await submit.click();
  await expect(dialog.getByLabel("Phone")).toHaveAccessibleDescription("Phone is required.");
}

async function expectBookBar(page: Page, { product_name }: Laptop): Promise<void> {
  const book = page.locator(".book-bar").getByRole("button", { name: "Book Now" });
  const shortcuts = page.getByRole("navigation", { name: "Shortcuts" });
  await expect(page.getByRole("heading", { level: 1, name: product_name })).toBeVisible();
  for (const scrolled of [0, 600]) {
    await page.evaluate((y) => scrollTo(0, y), scrolled);
    await expect(book).toBeInViewport({ ratio: 1 });
    await expect(page.locator(".book-bar-price")).toBeInViewport({ ratio: 1 });
    await expect(shortcuts).toBeHidden();
  }
  await book.click();
  await expect(page.getByRole("dialog", { name: product_name })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await expect(page).toHaveURL(paths.profile());
}

test.describe("a toast", () => {
  test.use({ expectedErrors: [/status of 409/] });

  test("at every tested width, a toast does not cover the navigation bar, the dashboard menu or a form's button", async ({
    page,
    seller,
    buyer,
  }) => {
    const laptop = await listLaptop(seller);
    await buyer.call(reportProduct, { body: { comment: "Old.", reportProduct: laptop } });
    await page.goto("/login?from=%2Fdashboard");
    await waitForHydration(page);
    await fillLogin(page, demoAccounts.buyer);
    const loggedIn = toastOf(page, "Login Successful.");
    await expectApartAtEveryWidth(loggedIn, [page.getByRole("banner"), dashboardMenu(page)]);

    await test.step("a toast does not cover an open dialog's field or button", async () => {
      await signInAs(page, buyer);
      await page.goto(`/categoryProducts/${laptop.category}?report=${laptop._id}`);
      const dialog = page.getByRole("dialog", { name: laptop.product_name });
      const [comment, submit] = [
        dialog.getByLabel("Comment"),
        dialog.getByRole("button", { name: "Submit" }),
      ];
      await comment.fill("Old.");
      await submit.click();
      const refused = toastOf(page, /^You've already reported this laptop/);
      await expectApartAtEveryWidth(refused, [comment, submit]);
    });
  });
});

async function expectApartAtEveryWidth(toast: Locator, others: Locator[]): Promise<void> {
  for (const [width, height] of [
    [390, 664],
    [820, 1180],
    [1440, 900],
  ] as const) {
    await toast.page().setViewportSize({ width, height });
    // A toast stays while the pointer is over it.
    await toast.hover();
    for (const other of others) await expectApart(toast, other);
  }
}

async function expectApart(one: Locator, other: Locator): Promise<void> {
  await expect(async () => {
    const [a, b] = [await one.boundingBox(), await other.boundingBox()];
    if (!a || !b) throw new Error("one of the elements is not visible");
    const beside = a.x + a.width <= b.x || b.x + b.width <= a.x;
    expect(beside || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
  }).toPass();
}

test.describe("long right-to-left words", () => {
  test.use({ viewport: { width: 360, height: 800 } });

  const word = "שלוםעולם".repeat(8);

  test("long right-to-left words stay inside the page and keep their direction", async ({
    page,
    buyer,
    demoMembers,
    baseURL,
  }) => {
    const seller = await registerMember(String(baseURL), "seller", {
      ...newCredentials("Selma"),
      name: word,
    });
    const said = { product_name: word, location: word, description: word };
    const laptop = await listLaptop(seller, said);
    await buyer.call(reportProduct, { body: { comment: word, reportProduct: laptop } });
    await signIn(page, buyer);
    const category = `/categoryProducts/${laptop.category}`;
    await page.goto(category);
    await expect(cardOf(page, laptop)).toBeVisible();
    await expectInside(page);
    await navigateOnClient(page, `${category}?book=${laptop._id}`);
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectInside(page);
    const booking = await bookLaptop(buyer, laptop);
    await expectEachInside(page, {
      "/dashboard": "My Orders",
      [`/dashboard/payment/${booking}`]: "Payment for",
    });
    await signInAs(page, seller);
    await page.goto("/dashboard/myProducts");
    await expectEachInside(page, {
      "/dashboard/myProducts": "My Products",
      "/dashboard/profile": "Profile",
    });
    await signInAs(page, demoMembers.admin);
    await page.goto("/dashboard/reportedItems");
    await expectEachInside(page, {
      "/dashboard/reportedItems": "Reported Items",
      [`/dashboard/allSellers?search=${seller.email}`]: "All Sellers",
    });
  });

  async function expectEachInside(page: Page, headings: Record<string, string>): Promise<void> {
    for (const [address, name] of Object.entries(headings)) {
      await navigateOnClient(page, address);
      await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
      if (name !== "Profile") await expect(page.getByText(word).first()).toBeVisible();
      await expectInside(page);
    }
  }

  async function expectInside(page: Page): Promise<void> {
    const wrong = () =>
      page.evaluate((text) => {
        const says = [...document.querySelectorAll<HTMLElement>("body *")].filter((element) =>
          [...element.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() === text,
          ),
        );
        const faults = says.flatMap((element) => {
          const { right, left, width } = element.getBoundingClientRect();
          const isOutside = left < 0 || right > innerWidth;
          const isTurned = getComputedStyle(element).direction !== "rtl";
          return width > 1 && (isOutside || isTurned) ? [element.outerHTML.slice(0, 120)] : [];
        });
        const { scrollWidth } = document.documentElement;
        return scrollWidth > innerWidth
          ? [...faults, `the page is ${scrollWidth} px wide`]
          : faults;
      }, word);
    await expect.poll(wrong).toEqual([]);
  }
});
