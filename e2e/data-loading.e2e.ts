/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import type { Role } from "./accounts.ts";
import { expectAccessible } from "./axe-and-keyboard.ts";
import { navigateOnClient, signIn, spinnerOf, test, waitForHydration } from "./fixtures.ts";
import {
  advanceUntilVisible,
  countRequests,
  delayResponses,
  failedRequestLog,
  failRequests,
  scriptOf,
} from "./network.ts";

const minutes = 60_000;
const table = (page: Page, name: string) => page.getByRole("table", { name });

test.describe("the query cache", () => {
  test.use({ role: "admin" });

  test("§9.8.1: a list left for less than 5 minutes is shown from the cache, and a list left for longer shows a spinner", async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto("/dashboard/allSellers");
    await expect(table(page, "All Sellers")).toBeVisible();
    const release = await delayResponses(page, "**/api/sellers*");
    await leaveAndComeBack(page, 4.8 * minutes);
    await expect(table(page, "All Sellers")).toBeVisible();
    const answered = page.waitForEvent("requestfinished", (request) =>
      /sellers/.test(request.url()),
    );
    release();
    await answered;
    await page.unrouteAll({ behavior: "wait" });
    await delayResponses(page, "**/api/sellers*");
    await leaveAndComeBack(page, 5.2 * minutes);
    await expect(spinnerOf(page)).toBeVisible();
    await expect(table(page, "All Sellers")).toBeHidden();
    await page.unrouteAll();
  });
});

test.describe("while Home's lists can't be fetched", () => {
  test.use({ expectedErrors: [failedRequestLog] });

  test("Home keeps the server-rendered laptops and categories while its lists can't be fetched", async ({
    page,
  }) => {
    const asked = countRequests(page, "GET", /\/api\/(advertisedProducts|categories)$/);
    await failRequests(page, "**/api/{advertisedProducts,categories}*");
    await page.goto("/");
    await expect(async () => {
      await page.clock.fastForward(10_000);
      // Each list makes four requests before it fails, so after nine, a list has failed.
      expect(asked()).toBeGreaterThan(8);
    }).toPass({ intervals: [50] });
    const bookNow = page.getByRole("button", { name: "Book Now" }).first();
    const category = page.locator("#categories").getByRole("link").first();
    await expect(bookNow).toBeVisible();
    await expect(category).toBeVisible();
    await page.unrouteAll({ behavior: "wait" });
    await expect(async () => {
      await page.clock.fastForward(10_000);
      await expect(page.locator("[data-hydrating]")).toHaveCount(0, { timeout: 300 });
    }).toPass({ intervals: [0] });
    await expect(category).toBeVisible();
    await bookNow.click();
    await expect(page).toHaveURL(/\/login\?from=%2F%3Fbook%3D/);

    await test.step("§8.9.2: Home, opened by a link, shows an error for each list that can't be loaded", async () => {
      await page.route("**/api/{advertisedProducts,categories}*", (route) => route.abort());
      await page.goto("/blogs");
      await waitForHydration(page);
      await page.getByRole("link", { name: "Home", exact: true }).click();
      await advanceUntilVisible(page, page.getByText("We couldn't load this").first());
      await expect(page.getByText("We couldn't load this")).toHaveCount(2);
    });
  });
});

async function leaveAndComeBack(page: Page, away: number): Promise<void> {
  await page.getByRole("link", { name: "All Buyers" }).click();
  await expect(table(page, "All Buyers")).toBeVisible();
  await page.clock.fastForward(away);
  await page.getByRole("link", { name: "All Sellers" }).click();
}

/** Each role's pages, each with the API call that the test aborts and the empty list's message. */
const lists = {
  buyer: [
    ["/dashboard", "**/api/bookingProducts/*", "You haven't booked a laptop yet"],
    [
      "/categoryProducts/01935a00-0000-7000-8000-00000000ffff",
      "**/api/categoryProducts/*",
      "Nothing for sale here right now",
    ],
  ],
  seller: [
    ["/dashboard/myProducts", "**/api/products/*", "You haven't listed a laptop yet"],
    ["/dashboard/payouts", "**/api/payouts/sales*", "No sales yet"],
  ],
  admin: [
    ["/dashboard/allSellers", "**/api/sellers*", "No sellers yet"],
    ["/dashboard/allBuyers", "**/api/buyers*", "No buyers yet"],
    ["/dashboard/reportedItems", "**/api/reportedProducts*", "No reported items"],
    ["/dashboard/payments", "**/api/payments*", "No payments"],
  ],
} satisfies Partial<Record<Role, [address: string, call: string, empty: string][]>>;

/** A missing category has no name, so the request for its name fails too. */
const failedListLog = new RegExp(`${failedRequestLog.source}|404 .*/api/categories/`);

test.describe("while requests fail", () => {
  test.use({ expectedErrors: [failedListLog] });

  for (const role of ["buyer", "seller", "admin"] as const)
    test(`§8.9.2: the ${role}'s lists show an error and Try again if loading fails, and a message if they are empty`, async ({
      page,
      demoMembers,
    }) => {
      await signIn(page, demoMembers[role]);
      await page.clock.install();
      await page.goto("/blogs");
      for (const [address, call, empty] of lists[role]) {
        await page.route(call, (route) => route.abort());
        await navigateOnClient(page, address);
        await expectErrorAndRetry(page, () =>
          page.route(call, (route) => route.fulfill({ json: [] })),
        );
        await expect.soft(page.getByRole("heading", { name: empty }), address).toBeVisible();
      }
    });

  test("§8.9.2: while the server is down, the next dashboard page shows an error, and Try again loads the page after the outage", async ({
    page,
    demoMembers,
  }) => {
    await signIn(page, demoMembers.seller);
    await page.goto("/dashboard/addProduct");
    await waitForHydration(page);
    const script = await scriptOf(page, "pages/my-products");
    await expect.poll(() => page.evaluate(isFetchedAhead, script)).toBe(true);
    await page.clock.install();
    await page.route("**", (route) => route.abort());
    await page.getByRole("link", { name: "My Products" }).click();
    await expectErrorAndRetry(page);
    await expect(table(page, "My Products")).toBeVisible();
    await page.route("**/api/categories", (route) => route.abort());
    await page.reload();
    await page.getByRole("link", { name: "Add Product" }).click();
    await expectErrorAndRetry(page);
  });

  test("§8.9.2: the payment page shows an error if its data can't be loaded", async ({
    buyerPage: page,
    booking,
  }) => {
    await failRequests(page, "**/api/bookingProducts/pay/*");
    await page.goto(`/dashboard/payment/${booking}`);
    await expectErrorAndRetry(page);
    await page.route("**/api/create-payment-intent", (route) => route.abort());
    await page.reload();
    await advanceUntilVisible(page, page.getByText("We can't reach the shop."));
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("We can't reach the shop.")).toHaveCount(0);
  });
});

function isFetchedAhead(script: string): boolean {
  const ahead = [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")];
  const fetched = new Set(performance.getEntriesByType("resource").map((entry) => entry.name));
  return (
    ahead.some(({ href }) => href.endsWith(script)) && ahead.every(({ href }) => fetched.has(href))
  );
}

async function expectErrorAndRetry(
  page: Page,
  repair: () => Promise<unknown> = async () => {},
): Promise<void> {
  const notice = page.getByRole("alert").filter({ hasText: "We couldn't load this" });
  await advanceUntilVisible(page, notice);
  await expect(notice).toContainText("We can't reach the shop.");
  await page.unrouteAll();
  await repair();
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toHaveCount(0);
}

test.describe("without a connection", () => {
  test.use({
    serviceWorkers: "allow",
    expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 503/],
  });

  test("§10.27: without a connection, the offline page shows and nothing is cached, and Try again opens the page after reconnecting", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await page.goto("/blogs");
    await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
    await expect(page).toHaveTitle("You're offline");
    await expectAccessible(page);
    const caches = await page.evaluate(() => window.caches.keys());
    expect(caches).toEqual([]);
    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
  });
});
