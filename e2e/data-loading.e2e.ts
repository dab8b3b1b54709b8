/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import { hold, type Role, sell } from "./accounts.ts";
import { cardOf, goInside, rowOf, signIn, spinnerOf, test, untilItRuns } from "./fixtures.ts";
import { afterRetries, countCalls, cutConnection, cutOff, holdBack } from "./network.ts";

const minutes = 60_000;
const table = (page: Page, name: string) => page.getByRole("table", { name });

test.describe("what is kept", () => {
  test.use({ role: "admin" });

  test("§9.8.1: a list shows at once within 5 minutes of leaving it, and is asked for anew after", async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto("/dashboard/allSellers");
    await expect(table(page, "All Sellers")).toBeVisible();
    const release = await holdBack(page, "**/api/sellers*");
    await leaveAndComeBack(page, 4.8 * minutes);
    await expect(table(page, "All Sellers")).toBeVisible();
    const answered = page.waitForEvent("requestfinished", (request) =>
      /sellers/.test(request.url()),
    );
    release();
    await answered;
    await page.unrouteAll({ behavior: "wait" });
    await holdBack(page, "**/api/sellers*");
    await leaveAndComeBack(page, 5.2 * minutes);
    await expect(spinnerOf(page)).toBeVisible();
    await expect(table(page, "All Sellers")).toBeHidden();
    await page.unrouteAll();
  });
});

async function leaveAndComeBack(page: Page, away: number): Promise<void> {
  await page.getByRole("link", { name: "All Buyers" }).click();
  await expect(table(page, "All Buyers")).toBeVisible();
  await page.clock.fastForward(away);
  await page.getByRole("link", { name: "All Sellers" }).click();
}

test.describe("what fails", () => {
  test.use({ role: "admin", expectedErrors: [/status of 500/] });

  test("§9.8.2: is asked for 3 times more, after 1, 2 and 4 seconds, and shown when it comes", async ({
    page,
  }) => {
    let requests = 0;
    const paused = Promise.withResolvers<void>();
    await page.clock.install();
    await page.addInitScript(noteFetches, "/api/sellers");
    await page.route("**/api/sellers*", async (route) => {
      requests += 1;
      await paused.promise;
      if (requests > 3) await route.continue();
      else await route.fulfill({ status: 500, json: { message: "No.", code: "INTERNAL" } });
    });
    await page.goto("/dashboard/allSellers");
    await expect.poll(() => requests).toBe(1);
    await page.clock.pauseAt(Date.now() + 60_000);
    paused.resolve();
    // The page's clock moves by these steps alone, so a slow machine changes nothing.
    await expect(async () => {
      await page.clock.runFor(100);
      expect(requests).toBe(4);
    }).toPass({ intervals: [50] });
    const { asked, answered } = await page.evaluate<Fetches>("fetches");
    const waits = asked.slice(1).map((at, retry) => at - (answered[retry] ?? 0));
    expect(waits.map((wait) => Math.floor(wait / 1000))).toEqual([1, 2, 4]);
    await page.clock.resume();
    await expect(table(page, "All Sellers")).toBeVisible();
  });
});

type Fetches = { asked: number[]; answered: number[] };

/** Notes when the page fetches this path and when the answer comes, by the page's own clock. */
function noteFetches(path: string): void {
  const fetches: Fetches = { asked: [], answered: [] };
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const noted = String(input instanceof Request ? input.url : input).includes(path);
    if (noted) fetches.asked.push(Date.now());
    const answer = await fetch(input, init);
    if (noted) fetches.answered.push(Date.now());
    return answer;
  };
  Object.assign(window, { fetches });
}

test("§4.7: after booking the orders are fetched again", async ({ page, seller, buyer }) => {
  const first = await sell(seller);
  const second = await sell(seller);
  await hold(buyer, first);
  await signIn(page, buyer);
  await page.goto("/dashboard");
  await expect(rowOf(page, first.product_name)).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.locator(`a[href="/categoryProducts/${second.category}"]`).click();
  const fetches = countCalls(page, "GET", /\/api\/bookingProducts\/[^/]+$/);
  await cardOf(page, second).getByRole("button", { name: "Book Now" }).click();
  await page.getByLabel("Phone").fill("5550177");
  await page.getByLabel("Meeting Location").fill("Union Station");
  expect(fetches()).toBe(0);
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(rowOf(page, second.product_name)).toBeVisible();
  expect(fetches()).toBeGreaterThan(0);
});

/** Every list there is: where it shows, its call, and what it says when it is empty. */
const lists = {
  buyer: [
    ["/dashboard", "**/api/bookingProducts/*", "You have not booked a laptop yet"],
    [
      "/categoryProducts/01935a00-0000-7000-8000-00000000ffff",
      "**/api/categoryProducts/*",
      "Nothing for sale here right now",
    ],
  ],
  seller: [["/dashboard/myProducts", "**/api/products/*", "You have not listed a laptop yet"]],
  admin: [
    ["/dashboard/allSellers", "**/api/sellers*", "No sellers yet"],
    ["/dashboard/allBuyers", "**/api/buyers*", "No buyers yet"],
    ["/dashboard/reportedItems", "**/api/reportedProducts*", "Nothing is reported"],
    ["/dashboard/payments", "**/api/payments*", "No payments"],
  ],
  visitor: [["/", "**/api/categories", "No categories yet"]],
} satisfies Record<Role, [address: string, call: string, empty: string][]>;

async function expectEmptyLists(page: Page, all: (typeof lists)[Role]): Promise<void> {
  await page.goto("/blogs");
  for (const [address, call, empty] of all) {
    await page.route(call, (route) => route.fulfill({ json: [] }));
    await goInside(page, address);
    await expect.soft(page.getByRole("heading", { name: empty }), address).toBeVisible();
  }
}

test("Home says when there are no categories", async ({ page }) => {
  await expectEmptyLists(page, lists.visitor);
});

/** The screens of each role with a call cut off under it. */
const screens = {
  buyer: [["/dashboard", "**/api/bookingProducts/*"]],
  seller: [
    ["/dashboard/myProducts", "**/api/products/*"],
    ["/dashboard/addProduct", "**/api/categories"],
  ],
  admin: [
    ["/dashboard/allSellers", "**/api/sellers*"],
    ["/dashboard/allBuyers", "**/api/buyers*"],
    ["/dashboard/reportedItems", "**/api/reportedProducts*"],
    ["/dashboard/payments", "**/api/payments*"],
  ],
} satisfies Partial<Record<Role, [address: string, call: string][]>>;

test.describe("with the connection cut", () => {
  test.use({ expectedErrors: [cutConnection] });

  for (const role of ["buyer", "seller", "admin"] as const)
    test(`§8.9.2: a ${role}'s lists say when they could not be loaded, load again, and say when they are empty`, async ({
      page,
      cast,
    }) => {
      await signIn(page, cast[role]);
      await page.clock.install();
      await page.goto("/blogs");
      for (const [address, call] of screens[role]) {
        await page.route(call, (route) => route.abort());
        await goInside(page, address);
        await expectWayOn(page);
      }
      await expectEmptyLists(page, lists[role]);
    });

  test("§8.9.2: with the whole server gone, a dashboard's other pages say so, and try again", async ({
    page,
    cast,
  }) => {
    await signIn(page, cast.seller);
    await page.goto("/dashboard/addProduct");
    await expect.poll(() => page.evaluate(isFetchedAhead, "my-products")).toBe(true);
    await page.clock.install();
    await page.route("**", (route) => route.abort());
    await page.getByRole("link", { name: "My Products" }).click();
    await expectWayOn(page);
    await expect(table(page, "My Products")).toBeVisible();
  });

  test("§8.9.2: a category says that it could not be loaded, and tries again", async ({
    page,
    cast,
    seller,
  }) => {
    const laptop = await sell(seller);
    await signIn(page, cast.buyer);
    await cutOff(page, "**/api/categoryProducts/*");
    await page.goto(`/categoryProducts/${laptop.category}`);
    await expectWayOn(page);
    await expect(cardOf(page, laptop)).toBeVisible();
  });

  test("§8.9.2: Home, come to from another page, says so of each part", async ({ page }) => {
    await cutOff(page, "**/api/{categories,advertisedProducts}*");
    await page.goto("/blogs");
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await afterRetries(page, page.getByText("This could not be loaded").first());
    await expect(page.getByText("This could not be loaded")).toHaveCount(2);
  });

  test("§8.9.2: a payment's page says so for the booking, and for the intent", async ({
    page,
    seller,
    buyer,
  }) => {
    const booking = await hold(buyer, await sell(seller));
    await signIn(page, buyer);
    await cutOff(page, "**/api/bookingProducts/pay/*");
    await page.goto(`/dashboard/payment/${booking}`);
    await expectWayOn(page);
    await page.route("**/api/create-payment-intent", (route) => route.abort());
    await page.reload();
    await afterRetries(page, page.getByText("We can't reach Secondlap."));
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("We can't reach Secondlap.")).toHaveCount(0);
  });
});

/** Whether all that the page fetches ahead is there, the script of this page among it. */
function isFetchedAhead(name: string): boolean {
  const ahead = [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")];
  const fetched = new Set(performance.getEntriesByType("resource").map((entry) => entry.name));
  return (
    ahead.some(({ href }) => href.includes(name)) && ahead.every(({ href }) => fetched.has(href))
  );
}

/** The page says what it could not load and, once the connection is back, loads it when asked to. */
async function expectWayOn(page: Page): Promise<void> {
  const notice = page.getByRole("alert").filter({ hasText: "This could not be loaded" });
  await afterRetries(page, notice);
  await expect(notice).toContainText("We can't reach Secondlap.");
  await page.unrouteAll();
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toHaveCount(0);
}

test.describe("with a page's script out of reach", () => {
  test.use({ expectedErrors: [new RegExp(`${cutConnection.source}|PageNotFetched`)] });

  test("§8.9.2: looking towards that page changes nothing, and going there says so", async ({
    page,
  }) => {
    await page.goto("/login");
    await untilItRuns(page);
    await page.getByLabel("Email").fill("half@example.com");
    await page.route("**", (route) => route.abort());
    const blogs = page.getByRole("link", { name: "Blogs" }).first();
    const failed = page.waitForEvent("requestfailed", (request) => /blogs/.test(request.url()));
    await blogs.hover();
    await failed;
    await expect(page.getByLabel("Email")).toHaveValue("half@example.com");
    await blogs.click();
    await expectNotFetched(page);
    await expect(page).toHaveURL(/\/blogs$/);

    await test.step("going there again leads there once it can be fetched", async () => {
      await page.unroute("**");
      await page.goBack();
      await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
      await blogs.click();
      await expect(page.getByRole("heading", { name: "Blogs", level: 1 })).toBeVisible();
    });

    await test.step("and so does trying again", async () => {
      await untilItRuns(page);
      await page.route("**", (route) => route.abort());
      await page.getByRole("link", { name: "Home", exact: true }).click();
      await expectNotFetched(page);
      await page.unroute("**");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(page.getByRole("heading", { name: "Product Categories" })).toBeVisible();
    });
  });
});

async function expectNotFetched(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Something went wrong!!!" })).toBeVisible();
  await expect(page.getByText("This page could not be fetched.")).toBeVisible();
}
