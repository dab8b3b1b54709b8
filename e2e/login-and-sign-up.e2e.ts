import { expect, type Locator, type Page } from "@playwright/test";
import { type Credentials, demoAccounts, newCredentials } from "./accounts.ts";
import {
  expectRefusal,
  fillLogin,
  fillSignUp,
  navigateOnClient,
  readStorage,
  signOut,
  test,
  toastOf,
} from "./fixtures.ts";
import { countRequests, delayResponses } from "./network.ts";
import { signInOutages, submitDuringOutages } from "./sign-in-outage.ts";

test.describe("the login form", () => {
  test.use({ expectedErrors: [/status of 401/] });

  test("§2.3.4: Login shows an error at each invalid field, and logs in with the correct password", async ({
    page,
  }) => {
    await test.step("a form submitted before hydration is validated after hydration", async () => {
      const release = await delayResponses(page, "**/assets/*.js");
      await page.goto("/login", { waitUntil: "commit" });
      await fillLogin(page, { email: "ada@example.com", password: "12345" });
      release();
      await expect
        .soft(passwordOf(page))
        .toHaveAccessibleDescription("Password must be 6 characters or longer.");
      await expect.soft(emailOf(page)).toHaveAccessibleDescription("");
      await expect.soft(page).toHaveURL("/login");
    });

    await test.step("Login hides the password and links to Sign up", async () => {
      await expect.soft(emailOf(page)).toHaveAttribute("type", "email");
      await expect.soft(passwordOf(page)).toHaveAttribute("type", "password");
      const main = page.getByRole("main");
      await main.getByRole("link", { name: "Create new account" }).click();
      await expect(page).toHaveURL("/signup");
      await main.getByRole("link", { name: "Login" }).click();
      // The URL changes before the form does, and both forms have an email field.
      await expect(main.getByRole("link", { name: "Create new account" })).toBeVisible();
      await expect(page).toHaveURL("/login");
    });

    await test.step("§5.1.1: an empty email shows: Email Address is required.", async () => {
      await fillLogin(page, { email: "", password: "Secret#2026" });
      await expect.soft(emailOf(page)).toHaveAccessibleDescription("Email Address is required.");
    });

    await test.step("§5.1.2: an empty password shows: Password is required.", async () => {
      await fillLogin(page, { email: "ada@example.com", password: "" });
      await expect.soft(passwordOf(page)).toHaveAccessibleDescription("Password is required.");
    });

    await test.step("§5.1.3 §9.1: a password that is too short shows: Password must be 6 characters or longer.", async () => {
      const message = "Password must be 6 characters or longer.";
      await passwordOf(page).fill("12345");
      await expect.soft(passwordOf(page)).toHaveAccessibleDescription(message);
      await passwordOf(page).fill("123456");
      await expect.soft(passwordOf(page)).toHaveAccessibleDescription("");
      await page.getByRole("button", { name: "Show password" }).click();
      await expect.soft(passwordOf(page)).toHaveAttribute("type", "text");
      await page.getByRole("button", { name: "Hide password" }).click();
      await expect.soft(passwordOf(page)).toHaveAttribute("type", "password");
    });

    await test.step("§8.1: a wrong password shows a message under the form", async () => {
      await fillLogin(page, { ...demoAccounts.buyer, password: "Wrong#2026" });
      await expect
        .soft(messageOf(page))
        .toHaveText("That email and password don't match. Check both and try again.");
      const button = page.getByRole("main").getByRole("button", { name: "Login" });
      await expect
        .poll(async () => (await boxOf(messageOf(page))).y - (await boxOf(button)).y)
        .toBeGreaterThan(0);
      await expect.soft(page).toHaveURL("/login");
      await expect.soft(button).toBeFocused();
    });

    await test.step("the message disappears when a field is edited and on the next submit", async () => {
      const refuse = async () => {
        await fillLogin(page, { ...demoAccounts.buyer, password: "Wrong#2026" });
        await expect(messageOf(page)).toHaveText(/don't match/);
      };
      await emailOf(page).fill("nora@example.com");
      await expect(messageOf(page)).toHaveCount(0);
      await refuse();
      await fillLogin(page, { ...demoAccounts.buyer, password: "" });
      await expect(passwordOf(page)).toHaveAccessibleDescription("Password is required.");
      await expect(messageOf(page)).toHaveCount(0);
    });

    await test.step("§8.6.1 §4.3: Login shows the toast “Login Successful.”, stores the token, and opens Home", () =>
      logInAtLast(page));
  });
});

test.describe("the sign-up form", () => {
  test.use({ expectedErrors: [/status of 422/] });

  const fill = async (page: Page, changes: Partial<Credentials>) => {
    const who = { name: "Ada", email: "ada@example.com", password: "Secret#2026", ...changes };
    await page.getByLabel("Name").fill(who.name);
    await emailOf(page).fill(who.email);
    await passwordOf(page).fill(who.password);
    await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
  };

  test("§2.3.5: Sign up shows an error at each invalid field, and registers a buyer", async ({
    page,
  }) => {
    await page.goto("/signup");
    const accountType = page.getByLabel("Account Type");
    await expect.soft(accountType.getByRole("option")).toHaveText(["Buyer", "Seller"]);
    await expect
      .soft(accountType)
      .toHaveAccessibleDescription(
        "Buyers book and pay. Sellers list laptops. You can add the other role later in your Profile.",
      );

    await test.step("§5.2.1: an empty name shows: Name is Required.", async () => {
      await fill(page, { name: " " });
      await expect.soft(page.getByLabel("Name")).toHaveAccessibleDescription("Name is Required.");
    });

    await test.step("§5.2.2: an empty email shows: Email Address is required.", async () => {
      await fill(page, { email: "" });
      await expect.soft(emailOf(page)).toHaveAccessibleDescription("Email Address is required.");
    });

    await test.step("§5.2.3: an empty password shows: Password is required.", async () => {
      await fill(page, { password: "" });
      await expect.soft(passwordOf(page)).toHaveAccessibleDescription("Password is required.");
    });

    await test.step("§5.2.4 §9.1: a password shorter than six characters shows: Password must have uppercase number and special character.", async () => {
      const message = "Password must have uppercase number and special character.";
      await passwordOf(page).fill("Ab1!x");
      await expect.soft(passwordOf(page)).toHaveAccessibleDescription(message);
      await passwordOf(page).fill("Ab1!xy");
      await expect.soft(passwordOf(page)).not.toHaveAccessibleDescription(/must/);
    });

    await test.step("§5.2.5: a password without an uppercase letter, one of !@#$&* or a digit shows: Password must be strong.", async () => {
      const missing = {
        "secret#2026": "an uppercase letter",
        Secret2026: "one of !@#$&*",
        "Secret%2026": "one of !@#$&*",
        "Secret#word": "a digit",
        secret: "an uppercase letter, a digit, and one of !@#$&*",
      };
      for (const [weak, characters] of Object.entries(missing)) {
        await passwordOf(page).fill(weak);
        await expect.soft(page.getByText(`Still needs ${characters}.`)).toBeVisible();
        await expect
          .soft(passwordOf(page), weak)
          .toHaveAccessibleDescription("Password must be strong.");
      }
      for (const special of "!@#$&*") {
        await passwordOf(page).fill(`Secret2026${special}`);
        await expect.soft(passwordOf(page), special).not.toHaveAccessibleDescription(/must/);
      }
    });

    await test.step("§8.2: a registered email address shows a message under the form", async () => {
      await fill(page, { email: demoAccounts.buyer.email });
      await expect
        .soft(messageOf(page))
        .toHaveText("An account with this email already exists. Log in instead.");
      await page.getByRole("link", { name: "Log in instead." }).click();
      await expect(page).toHaveURL("/login");
      await expect(emailOf(page)).toHaveValue(demoAccounts.buyer.email);
      await page.goBack();
    });

    await test.step("§8.6.2 §4.3 §7.4: Sign up shows the toast “User Created Successfully.”, stores the token, and opens Home", async () => {
      const who = newCredentials("Bertil");
      const sent = page.waitForRequest("**/api/users");
      await fill(page, who);
      const { name, email } = who;
      const joining = await sent;
      expect.soft(joining.method()).toBe("POST");
      expect.soft(joining.postDataJSON()).toEqual({ name, email, accountType: "buyer" });
      await expect(toastOf(page, "User Created Successfully.")).toBeVisible();
      await expect(page).toHaveURL("/");
      await expect.poll(readStorage(page, "localStorage")).toMatch(/"accessToken":"ey/);
    });

    await test.step("§5.2.6 §9.3: a member who signs up without choosing an account type is a buyer", async () => {
      await page.getByRole("link", { name: "Dashboard" }).click();
      await expect(page).toHaveURL("/dashboard");
      await navigateOnClient(page, "/dashboard/profile");
      await expect(page.getByRole("button", { name: "Sell with this account" })).toBeVisible();
    });
  });

  test("§5.2.6 §9.3: Sign up preselects buyer, or seller for a visitor sent from Add Product, and a visitor who chooses seller becomes a seller", async ({
    page,
  }) => {
    await page.goto("/signup?from=/dashboard/addProduct");
    await expect(page.getByLabel("Account Type")).toHaveValue("seller");
    await page.goto("/signup");
    const accountType = page.getByLabel("Account Type");
    await expect(accountType).toHaveValue("buyer");
    await test.step("§10.9: a password is not stored in a draft", async () => {
      await page.getByLabel("Name").fill("Ada");
      await passwordOf(page).fill("Secret#2026");
      await accountType.selectOption("seller");
      await expect.poll(readStorage(page, "sessionStorage")).toMatch(/Ada.*seller/);
      await page.reload();
      await expect(page.getByLabel("Name")).toHaveValue("Ada");
      await expect(accountType).toHaveValue("seller");
      await expect(passwordOf(page)).toHaveValue("");
      const drafts = await readStorage(page, "sessionStorage")();
      expect(drafts).not.toContain("Secret#2026");
    });
    await fillSignUp(page, newCredentials("Selma"), "Seller");
    await expect(page.getByText("User Created Successfully.")).toBeVisible();
    await page.getByRole("link", { name: "Dashboard" }).click();
    await expect(page).toHaveURL("/dashboard/addProduct");
  });
});

async function logInAtLast(page: Page): Promise<void> {
  const email = encodeURIComponent(demoAccounts.buyer.email);
  const lookedUp = new Set<string>();
  page.on("response", (answer) => {
    const path = new URL(answer.url()).pathname;
    if (answer.ok() && path.startsWith("/api/users/")) lookedUp.add(path);
  });
  const both = expect.arrayContaining([`/api/users/admin/${email}`, `/api/users/seller/${email}`]);
  const lists = ["categories", "advertisedProducts"].map((list) =>
    countRequests(page, "GET", new RegExp(`/api/${list}$`)),
  );
  await fillLogin(page, demoAccounts.buyer);
  await expect(toastOf(page, "Login Successful.")).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect.poll(readStorage(page, "localStorage")).toMatch(/"accessToken":"ey/);
  await test.step("§6.5: the member's roles are looked up by email at login and after a reload", async () => {
    await expect.poll(() => [...lookedUp]).toEqual(both);
    await expect(page.getByRole("region", { name: "Advertised Items" })).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(lists.map((count) => count())).toEqual([1, 1]);
    lookedUp.clear();
    await page.reload();
    await expect.poll(() => [...lookedUp]).toEqual(both);
  });
}

function emailOf(page: Page): Locator {
  return page.getByLabel("Email");
}

function passwordOf(page: Page): Locator {
  return page.getByLabel("Password", { exact: true });
}

/** Returns the position in pixels, or NaN while the element is hidden. */
async function boxOf(locator: Locator) {
  return (await locator.boundingBox()) ?? { x: Number.NaN, y: Number.NaN };
}

function messageOf(page: Page): Locator {
  return page.getByRole("alert").filter({ hasText: /\w/ });
}

const outages = signInOutages({
  unreachable: "We can't reach the shop. Check your connection and try again.",
  failed: "Something went wrong. Please try again in a minute.",
});

test.describe("while sign-in is down", () => {
  // 422: the account already exists. 401: a list was still loading at sign-out.
  test.use({ expectedErrors: [/status of (422|500)|net::ERR_FAILED|401 .*\/api\/products\//] });

  test("sign-up and login show an error and keep their values while sign-in is down, and succeed afterward", async ({
    page,
  }) => {
    const selma = newCredentials("Selma");
    await page.goto("/signup");
    await page.route("**/api/auth/sign-up/email", (route) => route.abort(), { times: 1 });
    await fillSignUp(page, selma, "Seller");
    await expectRefusal(page, "We can't reach the shop. Check your connection and try again.");
    const signUp = { who: selma, button: "Sign up" } as const;
    await submitDuringOutages(page, { ...signUp, calls: /\/api\/auth\/sign-up\/email$/ }, outages);
    // The account now exists, but the request that makes it a member fails.
    const failed = "Something went wrong on our side. Please try again.";
    const joining = outages.map((one) =>
      one === outages.at(-1) ? { ...one, message: failed } : one,
    );
    await submitDuringOutages(page, { ...signUp, calls: /\/api\/users$/ }, joining);
    await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
    await expect(toastOf(page, "User Created Successfully.")).toBeVisible();
    await signOut(page);

    await page.goto("/login");
    await page.route("**/api/auth/sign-in/email", (route) => route.abort(), { times: 1 });
    await fillLogin(page, selma);
    await expectRefusal(page, "We can't reach the shop. Check your connection and try again.");
    const login = { who: selma, button: "Login", calls: /\/api\/auth\/sign-in\/email$/ } as const;
    await submitDuringOutages(page, login, outages);
    await page.getByRole("main").getByRole("button", { name: "Login" }).click();
    await expect(toastOf(page, "Login Successful.")).toBeVisible();
  });
});
