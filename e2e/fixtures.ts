/// <reference lib="dom" />
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { demo, enrol, logInAt, type Member, photo, type Role, type Visitor } from "./accounts.ts";

type Fixtures = {
  /** What the browser may log as an error in this test, such as a card the provider refuses. */
  expectedErrors: RegExp[];
  /** The demo account the browser is signed in as when the test begins; a visitor unless told. */
  role: Role;
  /** A buyer nobody has met before. */
  buyer: Member;
  /** A seller nobody has met before. */
  newSeller: Member;
  quietConsole: undefined;
};

type Shared = {
  /** Somebody of each demo account, for all tests of a worker. */
  cast: Record<keyof typeof demo, Member>;
  /** A seller of the worker's own, to list what its tests need. */
  seller: Member;
};

/** A test in the browser; an error in its console that was not expected fails it. */
export const test = base.extend<Fixtures, Shared>({
  expectedErrors: [[], { option: true }],
  role: ["visitor", { option: true }],

  cast: [
    async ({ playwright: _ }, use, { project }) => {
      const enter = (who: Visitor) => logInAt(String(project.use.baseURL), who);
      await use({
        buyer: await enter(demo.buyer),
        seller: await enter(demo.seller),
        admin: await enter(demo.admin),
      });
    },
    { scope: "worker" },
  ],
  seller: [
    async ({ playwright: _ }, use, { project }) =>
      use(await enrol(String(project.use.baseURL), "seller")),
    { scope: "worker" },
  ],
  buyer: async ({ baseURL }, use) => use(await enrol(String(baseURL), "buyer")),
  newSeller: async ({ baseURL }, use) => use(await enrol(String(baseURL), "seller")),

  page: async ({ page, role, cast }, use) => {
    if (role !== "visitor") await signIn(page, cast[role]);
    await use(page);
  },

  quietConsole: [
    async ({ context, expectedErrors }, use) => {
      const errors: string[] = [];
      context.on(
        "console",
        (message) =>
          message.type() === "error" && errors.push(`${message.text()} ${message.location().url}`),
      );
      context.on("weberror", (thrown) => errors.push(String(thrown.error())));
      await use(undefined);
      expect(
        errors.filter((error) => !expectedErrors.some((expected) => expected.test(error))),
      ).toEqual([]);
    },
    { auto: true },
  ],
});

/** Makes the browser somebody's who has logged in before, without the log-in page. */
export async function signIn(page: Page, { cookie }: Member): Promise<void> {
  const url = String(test.info().project.use.baseURL);
  await page.context().addCookies([{ ...cookie, url }]);
}

export async function signUp(
  page: Page,
  who: Visitor,
  accountType: "Buyer" | "Seller",
): Promise<void> {
  await page.goto("/signup");
  await fillSignUp(page, who, accountType);
  await expect(page.getByText("User Created Successfully.")).toBeVisible();
}

/** Fills the sign-up form that is open, and sends it. */
export async function fillSignUp(
  page: Page,
  who: Visitor,
  accountType: "Buyer" | "Seller",
): Promise<void> {
  await page.getByLabel("Name").fill(who.name);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByLabel("Account Type").selectOption(accountType);
  await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
}

export async function logIn(page: Page, who: Pick<Visitor, "email" | "password">): Promise<void> {
  await page.goto("/login");
  await fillLogin(page, who);
  await expect(page.getByText("Login Successful.")).toBeVisible();
}

/** Fills the login form that is open, and sends it. */
export async function fillLogin(
  page: Page,
  { email, password }: Pick<Visitor, "email" | "password">,
): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign Out" }).first().click();
  await expect(page).toHaveURL(/\/login/);
}

/** Waits until the page's script has come and runs; the region of messages comes with it. */
export async function untilItRuns(page: Page): Promise<void> {
  await page.locator("section[aria-live=polite]").waitFor({ state: "attached" });
}

/** Goes to another page of the site as a link does, without loading it anew. */
export async function goInside(page: Page, address: string): Promise<void> {
  await untilItRuns(page);
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, address);
}

/** The short messages in the region screen readers announce that say this, word for word where it is a string. */
export function toastOf(page: Page, words: string | RegExp): Locator {
  const region = page.locator("[aria-live=polite]").getByRole("listitem");
  return region.filter({ has: page.getByText(words, { exact: true }) });
}

/** The spinner that shows while something loads. */
export function spinnerOf(page: Page): Locator {
  return page.getByRole("status").filter({ hasText: "Loading" }).locator(".loading");
}

/** The card of a laptop for sale. */
export function cardOf(page: Page, { product_name }: { product_name: string }): Locator {
  return page.getByRole("article").filter({ hasText: product_name });
}

/** The row of a table that names this. */
export function rowOf(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

/** The column headers of the table on the page. */
export function columnsOf(page: Page): Locator {
  return page.getByRole("columnheader");
}

/** What the page's storage of this kind holds, as one text, for `expect.poll`. */
export function stored(page: Page, kind: "localStorage" | "sessionStorage") {
  return () => page.evaluate((name) => JSON.stringify(window[name]), kind);
}

/** The colour of a text as it is painted, 0 to 255 each. */
export async function rgbOf(text: Locator): Promise<{ red: number; green: number; blue: number }> {
  const [red = 0, green = 0, blue = 0] = await text.evaluate((element) => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (!canvas) return [];
    canvas.fillStyle = getComputedStyle(element).color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  });
  return { red, green, blue };
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
  return { name: "laptop.jpg", mimeType: "image/jpeg", buffer: await photo(1600, 1200) };
}
