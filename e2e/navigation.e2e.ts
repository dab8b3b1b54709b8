import { expect, type Locator, type Page } from "@playwright/test";
import { informationTitles } from "#contract/page-paths.ts";
import { dashboardMenu, fillLogin, signIn, spinnerOf, test, waitForHydration } from "./fixtures.ts";
import { advanceUntilVisible, delayResponses, failedRequestLog, failRequests } from "./network.ts";

const bar = (page: Page) => page.getByRole("navigation", { name: "Main" });

test.describe("the navigation bar", () => {
  test("§2.2.1 §2.2.2: the navigation bar shows a visitor Home, Blogs, Login and Sign up", async ({
    page,
  }) => {
    await page.goto("/login");
    await test.step("the first Tab focuses a link that skips to the content", async () => {
      await page.keyboard.press("Tab");
      await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await expect(page.getByLabel("Email")).toBeFocused();
    });
    await expect(bar(page).getByRole("link")).toHaveText(["Home", "Blogs", "Login", "Sign up"]);
    await expectOneRow(page, bar(page).getByText("Sign up"));
    await page.setViewportSize({ width: 1280, height: 720 });
    const addresses = { Home: "/", Blogs: "/blogs", Login: "/login", "Sign up": "/signup" };
    for (const [name, address] of Object.entries(addresses)) {
      await bar(page).getByRole("link", { name }).click();
      await expect(page).toHaveURL(address);
    }
  });

  const dashboards = {
    buyer: {
      address: "/dashboard",
      entries: ["My Orders"],
      shortcuts: ["Home", "Search", /^Messages/, "Orders", "Me"],
    },
    seller: {
      address: "/dashboard/addProduct",
      entries: ["Add Product", "My Products", "Overview"],
      shortcuts: ["Home", "Search", /^Messages/, "Products", "Me"],
    },
    admin: {
      address: "/dashboard/allSellers",
      entries: [
        "All Sellers",
        "All Buyers",
        "Reported Items",
        "To Check",
        "Complaints",
        "Needs You",
        "Payments",
        "Overview",
        "Health",
        "Audit Log",
        "Shop",
        "Categories",
        "Staff",
      ],
      shortcuts: ["Home", "Search", /^Needs You/, "Sellers", "Me"],
    },
  };
  const sideMenus = {
    buyer: "§2.2.5",
    seller: "§2.2.6",
    admin: "§2.2.7",
  };
  for (const role of ["buyer", "seller", "admin"] as const) {
    const { address, entries, shortcuts } = dashboards[role];

    test(`§2.2.4 ${sideMenus[role]}: the Dashboard link opens ${address}, and the side menu has ${entries.join(", ")}`, async ({
      page,
      demoMembers,
    }) => {
      await signIn(page, demoMembers[role]);
      await page.goto("/terms");
      // Presses a key. Otherwise, the app starts and shows the member's links only later.
      await waitForHydration(page);
      await expect(bar(page).getByRole("link")).toHaveText(["Home", "Blogs", "Dashboard"]);
      // One role is enough, because all members' bars have these links.
      if (role === "buyer") await expectOneRow(page, bar(page).getByText("Sign Out"));
      await expectShortcuts(page, shortcuts);
      await bar(page).getByRole("link", { name: "Dashboard" }).click();
      await expect(page).toHaveURL(address);
      const others = [
        ...(role === "seller" ? ["Payouts"] : []),
        ...(role === "admin" ? [] : ["Messages", "Saved", "Invitations"]),
        "Profile",
      ];
      // Other tests send messages and complaints, so some entries show a count.
      const shown = [...entries, ...others].map((name) => new RegExp(`^${name}(, \\d+.*)?$`));
      await expect(dashboardMenu(page).getByRole("link")).toHaveText(shown);
      await dashboardMenu(page).getByRole("link", { name: "Profile" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
    });
  }
});

test("§2.1.1: a public page has a navigation bar and a footer, and each footer link opens a server-rendered page with the link's text as its title", async ({
  page,
  request,
}) => {
  await page.goto("/blogs");
  await expect(bar(page)).toBeVisible();
  await expect(page.getByRole("main")).toBeVisible();
  const footer = page.getByRole("contentinfo");
  const links = footer.getByRole("link");
  const pages = Object.values(informationTitles).flatMap((titles) => Object.entries(titles));
  await expect(links).toHaveText(footerLinks);
  for (const title of ["Services", "Company", "Legal"])
    await expect(footer.getByRole("heading", { name: title })).toBeVisible();
  await expect(footer.getByText("Good laptops deserve a second lap.")).toBeVisible();
  await expect(footer.getByRole("img")).toHaveCount(3);
  for (const [address, name] of pages) {
    await expect(footer.getByRole("link", { name })).toHaveAttribute("href", address);
    const answer = await request.get(address);
    expect(answer.status()).toBe(200);
    const html = await answer.text();
    expect(html).toContain(`>${name}</h1>`);
    expect(html).toContain(`<title>${name} · Secondlap</title>`);
    expect(html).toContain('<meta name="description"');
  }
  for (const name of ["Jobs", "Press kit"]) {
    await footer.getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page).toHaveTitle(`${name} · Secondlap`);
    const nothing = `${name}Nothing has been published here yet.`;
    await expect(page.getByRole("main")).toHaveText(nothing);
  }
});

const footerLinks = [
  "Buying",
  "Selling",
  "Fees",
  "Safety",
  "Buyer protection",
  "Verification",
  "Advertising",
  "About us",
  "Contact",
  "Jobs",
  "Press kit",
  "Terms of use",
  "Privacy policy",
  "Cookie policy",
];

test("§2.1.3 §4.1: the dashboard shows a spinner until the session is known, and while a list loads", async ({
  page,
  demoMembers,
}) => {
  await signIn(page, demoMembers.buyer);
  const release = await delayResponses(page, "**/api/auth/get-session");
  const releaseList = await delayResponses(page, "**/api/bookingProducts/**");
  await page.goto("/dashboard");
  await expect(spinnerOf(page)).toBeVisible();
  await expect(page.getByRole("heading", { name: "My Orders" })).toBeHidden();
  release();
  await expect(page.getByRole("heading", { name: "My Orders" })).toBeVisible();
  await expect(spinnerOf(page)).toBeVisible();
  releaseList();
  await expect(spinnerOf(page)).toHaveCount(0);
});

test.describe("the error screen", () => {
  // The 404 is for a missing category.
  test.use({ expectedErrors: [new RegExp(`${failedRequestLog.source}|status of 404`)] });

  test("§2.1.2 §8.8: the error screens of the dashboard and of public pages show the error, Try again and Sign out", async ({
    buyerPage: page,
    buyer,
  }) => {
    await page.clock.install();
    for (const address of ["/dashboard", "/categoryProducts/any"]) {
      await page.route("**/api/auth/get-session", (route) => route.abort());
      await page.goto(address);
      const title = page.getByRole("heading", { name: "Something went wrong!!!" });
      await advanceUntilVisible(page, title);
      await expect(page.getByText("We can't reach the shop.")).toBeVisible();
      await expect(bar(page)).toBeVisible();
      await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await expect(page).toHaveURL("/login");
      await page.unrouteAll();
      await fillLogin(page, buyer);
      await expect(bar(page).getByRole("link", { name: "Dashboard" })).toBeVisible();
    }
  });

  test("§8.9.1: if the role lookups fail, the error screen is centered below the member's navigation bar, and Try again closes it", async ({
    page,
    demoMembers,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, demoMembers.seller);
    await failRequests(page, "**/api/users/**");
    await page.goto("/dashboard/myProducts");
    const title = page.getByRole("heading", { name: "Something went wrong!!!" });
    await advanceUntilVisible(page, title);
    await expect(page.getByText("We can't reach the shop.")).toBeVisible();
    await expect(bar(page).getByRole("link")).toHaveText(["Home", "Blogs", "Dashboard"]);
    await expect(bar(page).getByRole("button", { name: "Sign Out" })).toBeVisible();
    await expect.poll(() => middleOf(title)).toBeCloseTo(720, -1);
    await test.step("§2.1.2: Try again closes the error screen when the roles can be loaded again", async () => {
      await page.unrouteAll();
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(page.getByRole("heading", { name: "My Products" })).toBeVisible();
    });
  });
});

test.describe("signing out", () => {
  const refusal = { code: "UNAVAILABLE", message: "We can't sign you out at the moment." };
  test.use({ expectedErrors: [/status of 503|We can't sign you out/] });

  test("§2.2.3 §4.1: Sign Out ends the session in other tabs too", async ({
    buyerPage: page,
    context,
  }) => {
    await test.step("§8.9.3: a failed sign-out is logged without a toast, and the member stays signed in", async () => {
      await page.route("**/api/auth/sign-out", (route) =>
        route.fulfill({ status: 503, json: refusal }),
      );
      await page.goto("/dashboard");
      const logged = page.waitForEvent("pageerror");
      await page.getByRole("button", { name: "Sign Out" }).click();
      await expect.poll(async () => String(await logged)).toContain(refusal.message);
      await expect(bar(page).getByRole("button", { name: "Sign Out" })).toBeEnabled();
      await expect(page.getByText(refusal.message)).toHaveCount(0);
      await expect(page.getByRole("heading", { name: "My Orders" })).toBeVisible();
      await page.unrouteAll();
    });
    const tab = await context.newPage();
    await tab.goto("/dashboard");
    await expect(tab.getByRole("heading", { name: "My Orders" })).toBeVisible();
    await test.step("a member who signs out while the session is being fetched stays signed out", () =>
      signOutWhileFetching(page));
    await expect(tab).toHaveURL("/login?from=%2Fdashboard");
    await page.goto("/dashboard");
    await expect(page).toHaveURL("/login?from=%2Fdashboard");
  });
});

async function signOutWhileFetching(page: Page): Promise<void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/users/admin/*", async (route) => {
    const response = await route.fetch();
    answer();
    await released;
    await route.fulfill({ response });
  });
  await page.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: null })));
  await answered;
  await page.getByRole("button", { name: "Sign Out", exact: true }).click();
  await expect(page).toHaveURL("/login");
  const received = page.waitForResponse("**/api/users/admin/*");
  release();
  await received;
  await expect(bar(page).getByRole("link", { name: "Login" })).toBeVisible();
  await page.getByRole("link", { name: "Blogs" }).first().click();
  await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
  await expect(bar(page).getByRole("link", { name: "Login" })).toBeVisible();
}

/**
 * Expects a bar of one row at several widths. Phones collapse the links into a menu. `last` is the
 * bar's last entry.
 */
async function expectOneRow(page: Page, last: Locator): Promise<void> {
  await expect(last).toBeVisible();
  const height = async () => (await page.getByRole("banner").boundingBox())?.height;
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const entries = page.getByRole("banner").getByRole("link").or(last);
    await expect.poll(() => linesOf(entries.filter({ visible: true }))).toBe(1);
    await expect.poll(height, `at ${width} px`).toBeLessThanOrEqual(64);
  }
  for (const width of [320, 640]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(height, `at ${width} px`).toBeLessThanOrEqual(64);
    await expect(last).toBeHidden();
    await expect(page.getByLabel("Search laptops")).toBeVisible();
  }
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(last).toBeVisible();
  await bar(page).getByRole("link", { name: "Blogs" }).click();
  await expect(page).toHaveURL("/blogs");
  await expect(last).toBeHidden();
}

async function expectShortcuts(page: Page, names: (string | RegExp)[]): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const shortcuts = page.getByRole("navigation", { name: "Shortcuts" });
  await expect(shortcuts.getByRole("link")).toHaveText(names);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const top = async () => (await shortcuts.boundingBox())?.y ?? 0;
  const bottom = async () => {
    const box = await page.getByRole("contentinfo").boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  await expect.poll(async () => (await bottom()) <= (await top())).toBe(true);
  const me = shortcuts.getByRole("link", { name: "Me", exact: true });
  await me.click();
  await expect(page).toHaveURL("/dashboard/profile");
  await expect(me).toHaveAttribute("aria-current", "page");
  await page.setViewportSize({ width: 1024, height: 800 });
  await expect(shortcuts).toBeHidden();
}

/** Returns the element's center, in pixels from the window's left edge. */
async function middleOf(locator: Locator): Promise<number> {
  const box = await locator.boundingBox();
  return box ? box.x + box.width / 2 : Number.NaN;
}

/** Counts the lines of the elements. Elements that overlap vertically share a line. */
async function linesOf(locator: Locator): Promise<number> {
  const boxes = await locator.evaluateAll((all) =>
    all.map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return { top, bottom };
    }),
  );
  boxes.sort((one, other) => one.top - other.top);
  let end = Number.NEGATIVE_INFINITY;
  let lines = 0;
  for (const { top, bottom } of boxes) {
    if (top >= end) lines += 1;
    end = Math.max(end, bottom);
  }
  return lines;
}
