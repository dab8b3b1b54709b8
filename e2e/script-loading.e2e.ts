import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, type Page } from "@playwright/test";
import { test, waitForHydration } from "./fixtures.ts";
import { failedRequestLog, scriptOf } from "./network.ts";

test.describe("while a page's script can't be fetched", () => {
  test.use({ expectedErrors: [new RegExp(`${failedRequestLog.source}|PageNotFetched`)] });

  test("§8.9.2: if a page's script can't be fetched, hovering over the page's link changes nothing, and following the link shows an error", async ({
    page,
  }) => {
    await page.goto("/login");
    await waitForHydration(page);
    await page.getByLabel("Email").fill("half@example.com");
    const script = await scriptOf(page, "pages/blogs");
    await page.route("**", (route) => route.abort());
    const blogs = page.getByRole("link", { name: "Blogs" }).first();
    const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith(script));
    await blogs.hover();
    await failed;
    await expect(page.getByLabel("Email")).toHaveValue("half@example.com");
    await blogs.click();
    await expectNotFetched(page);
    await expect(page).toHaveURL(/\/blogs$/);

    await test.step("the link opens the page once the script can be fetched", async () => {
      await page.unroute("**");
      await page.goBack();
      await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
      await blogs.click();
      await expect(page.getByRole("heading", { name: "Blogs", level: 1 })).toBeVisible();
    });

    await test.step("Try again opens Home once the script can be fetched", async () => {
      await waitForHydration(page);
      await page.route("**", (route) => route.abort());
      await page.getByRole("link", { name: "Home", exact: true }).click();
      await expectNotFetched(page);
      await page.unroute("**");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(page.getByRole("heading", { name: "Product Categories" })).toBeVisible();
    });
  });

  test("a page works without the search box's suggestions if their script can't be fetched", async ({
    page,
  }) => {
    const scripts = globSync("build/client/assets/*.js");
    const suggestions = scripts.filter((file) =>
      /["'`]\/suggestions["'`]/.test(readFileSync(file, "utf8")),
    );
    expect(suggestions).toHaveLength(1);
    await page.route(`**/${basename(String(suggestions[0]))}`, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await page.goto("/blogs");
    await waitForHydration(page);
    await page.getByLabel("Search laptops").first().focus();
    await failed;
    await page.getByRole("link", { name: "Home", exact: true }).first().click();
    await expect(page.getByRole("heading", { name: "Product Categories" })).toBeVisible();
  });
});

test("a page that loads under a resting pointer hydrates when the pointer moves", async ({
  page,
}) => {
  await page.mouse.move(200, 300);
  const fetched = page.waitForRequest(
    (request) => request.resourceType() === "fetch" && /\/assets\/.*\.js$/.test(request.url()),
  );
  await page.goto("/blogs");
  await fetched;
  await page.mouse.move(210, 310, { steps: 3 });
  await page.locator("section[aria-live=polite]").waitFor({ state: "attached" });
});

async function expectNotFetched(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Something went wrong!!!" })).toBeVisible();
  await expect(page.getByText("We couldn't load this page.")).toBeVisible();
}
