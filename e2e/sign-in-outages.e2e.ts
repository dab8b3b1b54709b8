import { expect } from "@playwright/test";
import { newCredentials } from "./accounts.ts";
import { expectRefusal, fillLogin, fillSignUp, signOut, test, toastOf } from "./fixtures.ts";
import { signInOutages, submitDuringOutages } from "./sign-in-outage.ts";

const outages = signInOutages({
  unreachable: "We can't reach the shop. Check your connection and try again.",
  failed: "Something went wrong. Please try again in a minute.",
});

test.describe("while sign-in is down", () => {
  // 422: the account already exists. 401: a list was still loading at sign-out.
  test.use({ expectedErrors: [/status of (422|500)|net::ERR_FAILED|401 .*\/api\/products\//] });

  test("while sign-in is down, sign-up and login show an error and keep their values; both succeed afterward", async ({
    page,
  }) => {
    const selma = newCredentials("Selma");
    await page.goto("/signup");
    await page.route("**/api/auth/sign-up/email", (route) => route.abort(), { times: 1 });
    await fillSignUp(page, selma, "Seller");
    await expectRefusal(page, "We can't reach the shop. Check your connection and try again.");
    const signUp = { who: selma, button: "Sign up" } as const;
    await submitDuringOutages(page, { ...signUp, calls: /\/api\/auth\/sign-up\/email$/ }, outages);
    // The server creates the account, but creating its membership fails.
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
