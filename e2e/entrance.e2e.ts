import { expect, type Locator, type Page } from "@playwright/test";
import { demo, newcomer } from "./members.ts";
import { fillLogin, signUp, test, toastOf } from "./person.ts";

test.describe("the login form", () => {
  test.beforeEach(({ page }) => page.goto("/login"));

  test("§5.1 login.email: without one, Email Address is required.", async ({ page }) => {
    await fillLogin(page, { email: "", password: "Secret#2026" });
    await expect(page.getByLabel("Email")).toHaveAccessibleDescription(
      "Email Address is required.",
    );
  });

  test("§5.1 login.password: without one, Password is required.", async ({ page }) => {
    await fillLogin(page, { email: "ada@example.com", password: "" });
    await expect(passwordOf(page)).toHaveAccessibleDescription("Password is required.");
  });

  test("§5.1 login.password length §9.1: below six, Password must be 6 characters or longer.", async ({
    page,
  }) => {
    await fillLogin(page, { email: "ada@example.com", password: "12345" });
    const message = "Password must be 6 characters or longer.";
    await expect(passwordOf(page)).toHaveAccessibleDescription(message);
    await passwordOf(page).fill("123456");
    await expect(page.getByText(message)).toHaveCount(0);
  });

  test("§8.6 login §4 token: Login Successful., the token is stored, and the visitor is at home", async ({
    page,
  }) => {
    await fillLogin(page, demo.buyer);
    await expect(toastOf(page, "Login Successful.")).toBeVisible();
    await expect(page).toHaveURL("/");
    expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toMatch(/^ey/);
  });

  test.describe("with a password that is wrong", () => {
    test.use({ expectedErrors: [/status of 401/] });

    test("§8.1: says so under the form, in words", async ({ page }) => {
      await fillLogin(page, { ...demo.buyer, password: "Wrong#2026" });
      await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toHaveText(
        "That email and password don't match. Check both and try again.",
      );
      await expect(page).toHaveURL("/login");
    });
  });
});

test.describe("the sign-up form", () => {
  const good = { name: "Ada", email: "ada@example.com", password: "Secret#2026" };

  const fill = async (page: Page, changes: Partial<typeof good>) => {
    const who = { ...good, ...changes };
    await page.goto("/signup");
    await page.getByLabel("Name").fill(who.name);
    await page.getByLabel("Email").fill(who.email);
    await passwordOf(page).fill(who.password);
    await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
  };

  test("§5.2 signup.name: without one, Name is Required.", async ({ page }) => {
    await fill(page, { name: " " });
    await expect(page.getByLabel("Name")).toHaveAccessibleDescription("Name is Required.");
  });

  test("§5.2 signup.email: without one, Email Address is required.", async ({ page }) => {
    await fill(page, { email: "" });
    await expect(page.getByLabel("Email")).toHaveAccessibleDescription(
      "Email Address is required.",
    );
  });

  test("§5.2 signup.password: without one, Password is required.", async ({ page }) => {
    await fill(page, { password: "" });
    await expect(passwordOf(page)).toHaveAccessibleDescription("Password is required.");
  });

  test("§5.2 signup.password length §9.1: below six, it must have uppercase number and special character.", async ({
    page,
  }) => {
    await fill(page, { password: "Ab1!x" });
    await expect(passwordOf(page)).toHaveAccessibleDescription(
      "Password must have uppercase number and special character.",
    );
  });

  test("§5.2 signup.password strong: without an uppercase letter, one of !@#$&* or a digit, Password must be strong.", async ({
    page,
  }) => {
    await fill(page, { password: "secret#2026" });
    for (const weak of ["secret#2026", "Secret2026", "Secret%2026", "Secret#word"]) {
      await passwordOf(page).fill(weak);
      await expect(passwordOf(page)).toHaveAccessibleDescription("Password must be strong.");
    }
    for (const special of "!@#$&*") {
      await passwordOf(page).fill(`Secret2026${special}`);
      await expect(page.getByText("Password must be strong.")).toHaveCount(0);
    }
  });

  test("§5.2 signup.accountType §9.3: is buyer unless seller is chosen", async ({ page }) => {
    await page.goto("/signup");
    await expect(page.getByLabel("Account Type")).toHaveValue("buyer");
    await signUp(page, newcomer("Selma"), "Seller");
    await page.getByRole("link", { name: "Dashboard" }).click();
    await expect(page).toHaveURL("/dashboard/addProduct");
  });

  test("§8.6 sign up §4 token: User Created Successfully., the token is stored, and the buyer is at home", async ({
    page,
  }) => {
    await fill(page, newcomer("Bertil"));
    await expect(toastOf(page, "User Created Successfully.")).toBeVisible();
    await expect(page).toHaveURL("/");
    expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toMatch(/^ey/);
    await page.getByRole("link", { name: "Dashboard" }).click();
    await expect(page).toHaveURL("/dashboard");
  });

  test.describe("with an address that is taken", () => {
    test.use({ expectedErrors: [/status of 422/] });

    test("§8.2: says so under the form, in words", async ({ page }) => {
      await fill(page, { email: demo.buyer.email });
      await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toHaveText(
        "There is already an account with this email. Log in instead.",
      );
    });
  });
});

function passwordOf(page: Page): Locator {
  return page.getByLabel("Password", { exact: true });
}
