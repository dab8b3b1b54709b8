import { randomUUID } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";
import sharp from "sharp";

/** Somebody at a browser. */
export type Visitor = { name: string; email: string; password: string };

/** A newcomer nobody has met before. */
export function newcomer(name: string): Visitor {
  return {
    name,
    email: `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.com`,
    password: "Secret#2026",
  };
}

type Fixtures = {
  /** What the browser may log as an error in this test, such as a card the provider refuses. */
  expectedErrors: RegExp[];
  quietConsole: undefined;
};

/** A test in the browser; an error in its console that was not expected fails it. */
export const test = base.extend<Fixtures>({
  expectedErrors: [[], { option: true }],
  quietConsole: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = [];
      page.on(
        "console",
        (message) =>
          message.type() === "error" && errors.push(`${message.text()} ${message.location().url}`),
      );
      page.on("pageerror", (error) => errors.push(String(error)));
      await use(undefined);
      expect(
        errors.filter((error) => !expectedErrors.some((expected) => expected.test(error))),
      ).toEqual([]);
    },
    { auto: true },
  ],
});

export async function signUp(
  page: Page,
  who: Visitor,
  accountType: "Buyer" | "Seller",
): Promise<void> {
  await page.goto("/signup");
  await page.getByLabel("Name").fill(who.name);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByLabel("Account Type").selectOption(accountType);
  await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByText("User Created Successfully.")).toBeVisible();
}

export async function logIn(
  page: Page,
  { email, password }: Pick<Visitor, "email" | "password">,
): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Login Successful.")).toBeVisible();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign Out" }).first().click();
  await expect(page).toHaveURL(/\/login/);
}

/** Fills the card fields, which are the provider's own, in a frame of another origin. */
export async function fillCard(page: Page, number: string): Promise<void> {
  const fields = page.frameLocator("iframe").first();
  await fields.locator("[name=cardnumber]").fill(number);
  await fields.locator("[name=exp-date]").fill("12 / 34");
  await fields.locator("[name=cvc]").fill("123");
}

/** A photo as a phone makes one. */
export async function phonePhoto(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const [r = 0, g = 0, b = 0] = Buffer.from(randomUUID());
  const buffer = await sharp({
    create: { width: 1600, height: 1200, channels: 3, background: { r, g, b } },
  })
    .jpeg()
    .toBuffer();
  return { name: "laptop.jpg", mimeType: "image/jpeg", buffer };
}

/** Keeps a picture of the whole page under `test-results/screens`. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `test-results/screens/${name}.png`, fullPage: true });
}
