/// <reference lib="dom" />
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Request } from "@playwright/test";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { photo } from "#server/testing/marketplace.ts";
import { freePorts, run, waitForExit, waitForReady } from "#server/testing/program.ts";
import {
  bookLaptop,
  type Credentials,
  demoAccounts,
  type Laptop,
  listLaptop,
  logInMember,
  type Member,
  type Role,
  registerMember,
} from "./accounts.ts";
import { createDatabase } from "./database.ts";

type Fixtures = {
  /** Console errors this test allows, such as the 402 for a declined card. */
  expectedErrors: RegExp[];
  /** The role whose demo account `page` is signed in to; a `visitor` is signed out. */
  role: Role;
  buyer: Member;
  newSeller: Member;
  laptop: Laptop;
  /** The ID of the buyer's hold on the laptop. */
  booking: string;
  buyerPage: Page;
  /** A visitor's page, with its own cookies. */
  otherPage: Page;
  quietConsole: undefined;
  serverSettings: Record<string, string>;
  /** A separate server for this test, without demo data. */
  ownServer: OwnServer;
};

export type OwnServer = {
  url: string;
  /** Runs a command such as `server/cli/admin.ts` for this server. Expects success. */
  run(...command: string[]): Promise<void>;
};

type Shared = {
  demoMembers: Record<keyof typeof demoAccounts, Member>;
  /** The seller of `laptop`, shared by all tests of a worker. */
  seller: Member;
};

/** Console errors fail the test, except `expectedErrors` and 401s or 403s of ended sessions. */
export const test = base.extend<Fixtures, Shared>({
  expectedErrors: [[], { option: true }],
  role: ["visitor", { option: true }],

  demoMembers: [
    async ({ playwright: _ }, use, { project }) => {
      const enter = (who: Credentials) => logInMember(String(project.use.baseURL), who);
      await use({
        buyer: await enter(demoAccounts.buyer),
        seller: await enter(demoAccounts.seller),
        admin: await enter(demoAccounts.admin),
      });
    },
    { scope: "worker" },
  ],
  seller: [
    async ({ playwright: _ }, use, { project }) =>
      use(await registerMember(String(project.use.baseURL), "seller")),
    { scope: "worker" },
  ],
  buyer: async ({ baseURL }, use) => use(await registerMember(String(baseURL), "buyer")),
  newSeller: async ({ baseURL }, use) => use(await registerMember(String(baseURL), "seller")),
  laptop: async ({ seller }, use) => use(await listLaptop(seller)),
  booking: async ({ buyer, laptop }, use) => use(await bookLaptop(buyer, laptop)),

  buyerPage: async ({ page, buyer }, use) => {
    await signIn(page, buyer);
    await use(page);
  },
  otherPage: async ({ browser }, use) => {
    const page = await browser.newPage();
    await use(page);
    await page.close();
  },
  serverSettings: [{}, { option: true }],
  ownServer: async ({ serverSettings, page }, use) => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), "secondlap-server-"));
    // Faster than starting another PostgreSQL.
    const DATABASE_URL = await createDatabase();
    const paths = { DATA_DIR, DATABASE_URL };
    const env: Record<string, string> = { ...(await freePorts()), ...paths, ...serverSettings };
    const server = run(env);
    try {
      await waitForReady(server);
      await use({
        url: `http://127.0.0.1:${env.PORT}`,
        run: async (...command) => {
          const { code, said } = await waitForExit(run(env, command));
          expect(code, said).toBe(0);
        },
      });
    } finally {
      // A page still loading would log an error when the server stops.
      for (const open of page.context().pages()) await open.goto("about:blank");
      server.child.kill("SIGTERM");
      await waitForExit(server);
      await rm(DATA_DIR, { recursive: true, force: true });
    }
  },

  page: async ({ page, role, demoMembers }, use) => {
    if (role !== "visitor") await signIn(page, demoMembers[role]);
    await use(page);
  },

  quietConsole: [
    async ({ context, expectedErrors }, use) => {
      const errors: string[] = [];
      const refused = watchEndedSessions(context);
      context.on(
        "console",
        (message) =>
          message.type() === "error" && errors.push(`${message.text()} ${message.location().url}`),
      );
      context.on("weberror", (thrown) => errors.push(String(thrown.error())));
      await use(undefined);
      const isExpected = (error: string) =>
        expectedErrors.some((expected) => expected.test(error)) ||
        (/status of 40[13]/.test(error) && [...refused].some((url) => error.endsWith(url)));
      expect(errors.filter((error) => !isExpected(error))).toEqual([]);
    },
    { auto: true },
  ],
});

const endsSession = /\/api\/auth\/(sign-out|reset-password)/;
const beginsSession = /\/api\/auth\/sign-(in|up)/;

/** Collects the URLs of calls that may get a 401 or 403, because a session ended meanwhile. */
function watchEndedSessions(context: BrowserContext): Set<string> {
  const underWay = new Set<Request>();
  const refused = new Set<string>();
  let isEnded = false;
  context.on("request", (request) => {
    underWay.add(request);
    if (endsSession.test(request.url())) isEnded = true;
    if (beginsSession.test(request.url())) isEnded = false;
    if (isEnded) for (const one of underWay) refused.add(one.url());
  });
  const end = (request: Request) => underWay.delete(request);
  context.on("requestfinished", end).on("requestfailed", end);
  return refused;
}

export async function signIn(page: Page, { cookie }: Member): Promise<void> {
  const url = String(test.info().project.use.baseURL);
  await page.context().addCookies([{ ...cookie, url }]);
}

/** Opens an empty page first, so that the previous page makes no calls as the new member. */
export async function signInAs(page: Page, member: Member): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
  await signIn(page, member);
}

export async function signUp(
  page: Page,
  who: Credentials,
  accountType: "Buyer" | "Seller",
): Promise<void> {
  await page.goto("/signup");
  await fillSignUp(page, who, accountType);
  await expect(page.getByText("User Created Successfully.")).toBeVisible();
}

export async function fillSignUp(
  page: Page,
  who: Credentials,
  accountType: "Buyer" | "Seller",
): Promise<void> {
  await page.getByLabel("Name").fill(who.name);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByLabel("Account Type").selectOption(accountType);
  await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
}

export async function logIn(
  page: Page,
  who: Pick<Credentials, "email" | "password">,
): Promise<void> {
  await page.goto("/login");
  await fillLogin(page, who);
  await expect(page.getByText("Login Successful.")).toBeVisible();
}

export async function fillLogin(
  page: Page,
  { email, password }: Pick<Credentials, "email" | "password">,
): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
}

export async function signOut(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Sign Out" });
  await button.first().click();
  // After a login, the URL can still be the login page's.
  await expect(button).toHaveCount(0);
  await expect(page).toHaveURL(/\/login/);
}

export async function waitForHydration(page: Page): Promise<void> {
  await waitForApp(page);
  // Clicks and keystrokes could get lost while a part of the page re-renders.
  await expect(page.locator("[data-hydrating]")).toHaveCount(0);
}

/** Starts the app with a key press, and waits until it renders. Some parts may still lack data. */
export async function waitForApp(page: Page): Promise<void> {
  await page.keyboard.press("Shift");
  await page.locator("section[aria-live=polite]").waitFor({ state: "attached" });
}

export async function navigateOnClient(page: Page, address: string): Promise<void> {
  await waitForHydration(page);
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, address);
}

/** Finds a toast by its text. A string must match exactly. */
export function toastOf(page: Page, words: string | RegExp): Locator {
  const region = page.locator("[aria-live=polite]").getByRole("listitem");
  return region.filter({ has: page.getByText(words, { exact: true }) });
}

export async function expectRefusal(page: Page, words: string): Promise<void> {
  await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toHaveText(words);
}

export function spinnerOf(page: Page): Locator {
  return page.getByRole("status").filter({ hasText: "Loading" }).locator(".loading");
}

export function cardOf(page: Page, { product_name }: { product_name: string }): Locator {
  return page.getByRole("article").filter({ hasText: product_name });
}

export function rowOf(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

export async function openActions(row: Locator): Promise<void> {
  await row.getByRole("button", { name: "More actions" }).click();
}

/** Repeats `load` until the check passes. The check's timeout doubles each time. */
export async function loadUntil(
  load: () => Promise<unknown>,
  check: (patience: { timeout: number }) => Promise<void>,
): Promise<void> {
  let timeout = 1_000;
  await expect(async () => {
    await load();
    timeout *= 2;
    await check({ timeout });
  }).toPass();
}

export function columnsOf(page: Page): Locator {
  return page.getByRole("columnheader");
}

export function readStorage(page: Page, kind: "localStorage" | "sessionStorage") {
  return () => page.evaluate((name) => JSON.stringify(window[name]), kind);
}

/** Returns the text's color, with channels from 0 to 255. */
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

export function dashboardMenu(page: Page): Locator {
  return page.getByRole("navigation", { name: "Dashboard" });
}

export async function submitBooking(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Phone").fill("5550177");
  await dialog.getByLabel("Meeting Location").fill("Union Station");
  await dialog.getByRole("button", { name: "Submit" }).click();
}

export async function twoTabs(page: Page, address: string): Promise<[Page, Page]> {
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await tab.goto(address);
    await expect(tab.getByRole("main").getByRole("button").first()).toBeVisible();
  }
  return [page, other];
}

export async function confirmIn(page: Page, button: string): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).click();
}

export async function fillCard(page: Page, number: string): Promise<void> {
  const fields = page.frameLocator("iframe").first();
  await fields.locator("[name=cardnumber]").fill(number);
  await fields.locator("[name=exp-date]").fill("12 / 34");
  await fields.locator("[name=cvc]").fill("123");
}

export async function phonePhoto(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  return { name: "laptop.jpg", mimeType: "image/jpeg", buffer: await photo() };
}
