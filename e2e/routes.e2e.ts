import { expect, type Page } from "@playwright/test";
import { listCategories } from "#contract/categories.ts";
import { bookLaptop, listLaptop, newCredentials, type Role } from "./accounts.ts";
import { fillLogin, fillSignUp, navigateOnClient, test } from "./fixtures.ts";

const sellersOnly = "This page is for sellers";
const welcome = "Welcome to Secondlap Used laptops, paid safely, handed over in person";
const adminsOnly = "This page is for admins";

/**
 * Each page's heading, by role if roles see different ones. A role without a heading is sent to
 * Login. For members, successive headings differ, so that a stale page fails the test.
 */
const routes: Record<string, string | Partial<Record<Role, string>>> = {
  "/": welcome,
  "/blogs": "Blogs",
  "/login": { visitor: "Login", ...toMembers(welcome) },
  "/no/such/page": "Page not found",
  "/signup": { visitor: "Sign up", ...toMembers(welcome) },
  "/dashboard/addProduct": toSellers("Add Product"),
  "/dashboard/allSellers": toAdmins("All Sellers"),
  "/dashboard/myProducts": toSellers("My Products"),
  "/dashboard/allBuyers": toAdmins("All Buyers"),
  "/dashboard/overview": { ...toSellers("Overview"), admin: "Overview" },
  "/dashboard/reportedItems": toAdmins("Reported Items"),
  "/dashboard": toMembers("My Orders"),
  "/dashboard/payments": toAdmins("Payments"),
  "/categoryProducts/{id}": toMembers("Products by Category"),
  "/dashboard/auditLog": toAdmins("Audit Log"),
};

function toMembers(title: string) {
  return { buyer: title, seller: title, admin: title };
}

function toSellers(title: string) {
  return { buyer: sellersOnly, seller: title, admin: sellersOnly };
}

function toAdmins(title: string) {
  return { buyer: adminsOnly, seller: adminsOnly, admin: title };
}

test.describe("routes", () => {
  const rows = {
    visitor: "§6.1",
    buyer: "§6.2",
    seller: "§6.3",
    admin: "§6.4",
  };
  for (const role of ["visitor", "buyer", "seller", "admin"] as const) {
    test.describe(`routes for ${role === "admin" ? "an" : "a"} ${role}`, () => {
      test.use({ role });

      test(`§2.3.15 ${rows[role]}: the role ${role} can open only its own pages, and any other page redirects or says who can open it`, async ({
        page,
        demoMembers,
      }) => {
        const [category] = await demoMembers.admin.call(listCategories, {});
        await page.goto("/");
        for (const [route, titles] of Object.entries(routes)) {
          const address = route.replace("{id}", String(category?._id));
          await navigateOnClient(page, address);
          const title = typeof titles === "string" ? titles : titles[role];
          if (title === undefined)
            await expect.soft(page).toHaveURL(`/login?${new URLSearchParams({ from: address })}`);
          const heading = page.getByRole("heading", { name: title ?? "Login", exact: true });
          await expect.soft(heading, route).toBeVisible();
        }
      });
    });
  }
});

test.describe("a visitor on a protected page", () => {
  test("§2.3.14 §2.3.4: a protected URL keeps its fragment through login, and Back from Login skips the protected page", async ({
    page,
    buyer,
  }) => {
    const address = "/dashboard/profile?tab=2#sessions";
    const login = `/login?${new URLSearchParams({ from: address })}`;
    await page.goto("/");
    const categories = page.getByRole("region", { name: "Product Categories" });
    await categories.getByRole("link").first().click();
    await expect(page).toHaveURL(/\/login\?from=%2FcategoryProducts/);
    await page.goBack();
    await expect(page).toHaveURL("/");
    await page.goto("/blogs");
    await page.goto(address);
    await expect(page).toHaveURL(login);
    await expect(
      page.getByText("Log in to open that page. We'll bring you straight back."),
    ).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL("/blogs");
    await page.goForward();
    await expect(page).toHaveURL(login);
    await fillLogin(page, buyer);
    await expect(page).toHaveURL(address);

    await test.step("§2.3.14: the return URL after login can lead only to pages on this site", async () => {
      await expectReturn(page, "/blogs?page=2#end", "/blogs?page=2#end");
      await expectReturn(page, "//evil.example", "/");
    });
  });

  test("§2.3.14: a visitor who signs up returns to the protected page", async ({ page }) => {
    const from = "from=%2Fdashboard%2Fprofile%3Ftab%3D2";
    await page.goto("/dashboard/profile?tab=2");
    await page.getByRole("link", { name: "Create new account" }).click();
    await expect(page).toHaveURL(`/signup?${from}`);
    await page.getByRole("main").getByRole("link", { name: "Login" }).click();
    await expect(page).toHaveURL(`/login?${from}`);
    await page.goBack();
    await fillSignUp(page, newCredentials("Bertil"), "Buyer");
    await expect(page).toHaveURL("/dashboard/profile?tab=2");
    await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  });
});

test.describe("a missing page", () => {
  test.use({ role: "buyer", expectedErrors: [/status of 404/] });

  test("§2.3.6 §2.3.15: another role's page links to the dashboard, while unknown pages and another buyer's payment show Page not found", async ({
    page,
    seller,
    buyer,
  }) => {
    const theirs = await bookLaptop(buyer, await listLaptop(seller));
    await page.goto("/dashboard/allSellers");
    await expect(page.getByText("You're signed in as buyer@demo.test")).toBeVisible();
    await page.getByRole("link", { name: "Go to your dashboard" }).click();
    await expect(page.getByRole("heading", { name: "My Orders" })).toBeVisible();
    const answer = await page.goto("/nowhere/at/all");
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("img", { name: "A laptop with a sad face" })).toBeVisible();
    for (const address of ["/categoryProducts/none", `/dashboard/payment/${theirs}`]) {
      await navigateOnClient(page, address);
      await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
      await expect(page).toHaveTitle(/^Page not found · /);
      await page.getByRole("link", { name: "Go back to Home", exact: true }).click();
      await expect(page).toHaveURL("/");
    }
  });
});

async function expectReturn(page: Page, from: string, to: string): Promise<void> {
  await page.goto(`/login?${new URLSearchParams({ from })}`);
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
  await expect(page).toHaveURL(to);
}
