/// <reference lib="dom" />
import { expect, type Locator, type Page } from "@playwright/test";
import { listCategories } from "#contract/categories.ts";
import { readSellerOverview } from "#contract/overview.ts";
import { giveUp } from "#server/testing/jobs.ts";
import { bookLaptop, listLaptop } from "./accounts.ts";
import { changeDatabase } from "./database.ts";
import {
  cardOf,
  dashboardMenu,
  signIn,
  signInAs,
  test,
  toastOf,
  waitForHydration,
} from "./fixtures.ts";

/** A new week may begin during the test. */
const once = /(1 this week, 0|0 this week, 1) last week/;

test("§10.23: a laptop view is counted when the buyer leaves the page, and appears in the seller's overview", async ({
  page,
  newSeller,
  buyer,
}) => {
  // Uses a category that other tests don't look at.
  const last = (await newSeller.call(listCategories, {})).at(-1);
  const laptop = await listLaptop(newSeller, { category: String(last?._id) });
  await signIn(page, buyer);
  await page.goto(`/categoryProducts/${laptop.category}`);
  // The page counts views only after hydration.
  await waitForHydration(page);
  await lookAt(cardOf(page, laptop));
  // If the next page is about:blank, Chromium may drop a request sent while this page closes.
  await page.goto("/blogs");
  const views = async () => {
    const { weeks } = await newSeller.call(readSellerOverview, {});
    return weeks.slice(-2).reduce((sum, week) => sum + week.views, 0);
  };
  await expect.poll(views).toBe(1);
  await bookLaptop(buyer, laptop);

  await signInAs(page, newSeller);
  await page.goto("/dashboard/overview");
  await expect(trend(page, "Views")).toContainText(once);
  await expect(trend(page, "Holds")).toContainText(once);
  await expect(trend(page, "Views").getByRole("img")).toBeVisible();
  await expect(trend(page, "Earnings")).toContainText("Nothing in the last 12 weeks.");
  await expect(trend(page, "Earnings").getByRole("img")).toHaveCount(0);
  await page.getByText("View as table").click();
  await expect(page.getByRole("cell", { name: "$0" }).first()).toHaveCSS("text-align", "right");
  await expect(page.getByRole("row").nth(1)).toContainText("$0");
  await expect(page.getByRole("row")).toHaveCount(13);
});

test("a seller without laptops sees a link to Add Product in Overview instead of empty charts", async ({
  page,
  newSeller,
}) => {
  await signIn(page, newSeller);
  await page.goto("/dashboard/overview");
  const content = page.getByRole("main");
  await expect(content.getByRole("link", { name: "Add Product" })).toBeVisible();
  await expect(trend(page, "Views")).toHaveCount(0);
});

test.describe("the admin's overview", () => {
  test.use({ role: "admin" });

  test("hovering over the turnover chart shows the week's amount, and an admin can retry failed jobs from Health", async ({
    page,
  }) => {
    await changeDatabase((tx) => giveUp(tx, "offerPasswordReset", { email: "gone@example.com" }));
    await page.goto("/dashboard/overview");
    const turnover = trend(page, "Turnover");
    await expect(turnover).toContainText("this week");
    await expect(page.getByText(/^Card fees per completed sale(\$[\d,.]+|–)$/)).toBeVisible();
    await turnover.getByRole("img").hover();
    await expect(turnover).toContainText(/\$[\d,]+ in the week of \w{3} \d/);

    await dashboardMenu(page).getByRole("link", { name: "Health" }).click();
    await expect(page.getByRole("heading", { name: "Health", level: 1 })).toBeVisible();
    await expect(page.getByText("In the last five minutes.")).toBeVisible();
    const server = page.getByRole("table", { name: "This server" });
    const requests = server.getByRole("row", { name: /^Requests [1-9]/ });
    await expect(requests.getByRole("rowheader", { name: "Requests" })).toBeVisible();
    await expect(requests.getByRole("cell")).toHaveText(/^\d{1,3}(,\d{3})*$/);
    const deals = page.getByRole("table", { name: "Deals and money" });
    await expect(deals.getByRole("row", { name: "Last backup None yet" })).toBeVisible();

    const problem = page.getByRole("alert").getByRole("listitem").filter({ hasText: "failed" });
    await expect(problem).toContainText("Fix the cause, which the server's log names");
    await problem.getByRole("link", { name: "Jobs" }).click();
    await expect(page).toHaveURL(/#jobs$/);
    const given = page.getByRole("table", { name: "Jobs" }).getByRole("row");
    await expect(given.filter({ hasText: "offerPasswordReset" })).toBeVisible();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(toastOf(page, /^(1 job|\d+ jobs) will be tried again\.$/)).toBeVisible();
    await expect(given.filter({ hasText: "offerPasswordReset" })).toHaveCount(0);
    await expect(problem).toHaveCount(0);
  });
});

/** Scrolls to the card and waits a second, because shorter views do not count. */
async function lookAt(card: Locator): Promise<void> {
  await card.scrollIntoViewIfNeeded();
  await card.evaluate(async (it) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const inSight = ([entry]: IntersectionObserverEntry[]) =>
      entry?.isIntersecting && setTimeout(resolve, 1_000);
    new IntersectionObserver(inSight, { threshold: 0.5 }).observe(it);
    await promise;
  });
}

function trend(page: Page, title: string): Locator {
  return page.getByRole("region", { name: title, exact: true });
}
