import { expect, type Route } from "@playwright/test";
import { newCredentials } from "./accounts.ts";
import { emulator, test } from "./firebase.ts";
import {
  expectRefusal,
  fillLogin,
  fillSignUp,
  logIn,
  readStorage,
  signOut,
  signUp,
  toastOf,
  waitForHydration,
} from "./fixtures.ts";
import { advanceUntilVisible } from "./network.ts";
import { expectFilledIn, signInOutages, submitDuringOutages } from "./sign-in-outage.ts";

test.use({
  expectedErrors: [/status of (400|500|503)|Try again\.|ERR_FAILED|not ended at the server/],
});

const unavailable = { status: 503, json: { code: "UNAVAILABLE", message: "Try again." } };
const unreachable = "We can't reach our sign-in service. Check your connection and try again.";
const outages = signInOutages({
  unreachable,
  failed: "Something went wrong. Please try again in a minute.",
});
const accounts = (call: string) => new RegExp(`^${emulator}/.*accounts:${call}`);

test("sign-up and login show an error and keep their values during a Firebase outage, then succeed, and so does sign-up when our server fails", async ({
  page,
}) => {
  const selma = newCredentials("Selma");
  await page.goto("/signup");
  await page.route(accounts("signUp"), (route) => route.abort(), { times: 1 });
  await fillSignUp(page, selma, "Seller");
  await expectRefusal(page, unreachable);
  const form = { who: selma, button: "Sign up" } as const;
  await submitDuringOutages(page, { ...form, calls: accounts("signUp") }, outages);
  // Firebase now has the account, but the request that makes it a member fails.
  const cannotAsk = { fault: (route: Route) => route.fulfill(unavailable), message: "Try again." };
  await submitDuringOutages(page, { ...form, calls: /\/api\/users$/ }, [cannotAsk]);
  await page.getByRole("main").getByRole("button", { name: "Sign up" }).click();
  await expect(toastOf(page, "User Created Successfully.")).toBeVisible();
  await signOut(page);

  await page.goto("/login");
  await page.route(accounts("signInWithPassword"), (route) => route.abort(), { times: 1 });
  await fillLogin(page, selma);
  await expectRefusal(page, unreachable);
  const login = { who: selma, button: "Login", calls: accounts("signInWithPassword") } as const;
  await submitDuringOutages(page, login, outages);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await expect(toastOf(page, "Login Successful.")).toBeVisible();
});

test("a login times out if Firebase does not respond, and the form keeps its values", async ({
  page,
}) => {
  const ada = newCredentials("Ada");
  await signUp(page, ada, "Buyer");
  await signOut(page);
  await page.clock.install();
  await page.goto("/login");
  await page.route(accounts("signInWithPassword"), () => {});
  await fillLogin(page, ada);
  await advanceUntilVisible(page, page.getByText(unreachable));
  await expectFilledIn(page, ada);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await expect(toastOf(page, "Login Successful.")).toBeVisible();
});

test("while token and sign-out calls to our server fail, a member stays logged in and can log out", async ({
  page,
}) => {
  const ada = newCredentials("Ada");
  await signUp(page, ada, "Buyer");
  await page.route(/\/api\/(jwt|auth\/sign-out)/, (route) => route.fulfill(unavailable));
  await page.goto("/dashboard/profile");
  await expect(page.getByLabel("Name")).toHaveValue(ada.name);
  await page.goto("/");
  await signOut(page);
  await page.unroute(/\/api\/(jwt|auth\/sign-out)/);
  await page.goto("/dashboard/profile");
  await expect(page).toHaveURL(/\/login/);
});

test("logging out takes effect immediately, even if neither Firebase nor our server responds", async ({
  page,
}) => {
  const ada = newCredentials("Ada");
  await signUp(page, ada, "Buyer");
  // Our server needs an unexpired ID token to end the session.
  await page.clock.setSystemTime(Date.now() + 2 * 3_600_000);
  await page.route(/securetoken|accounts:lookup|\/api\/auth\/sign-out/, () => {});
  await signOut(page);
  await page.goto("/dashboard/profile");
  await expect(page).toHaveURL(/\/login/);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto("/");
  await waitForHydration(page);
  await expect.poll(readStorage(page, "localStorage")).not.toMatch(/firebaseSignedOut|accessToken/);
  await page.goto("/login");
  await logIn(page, ada);
});
