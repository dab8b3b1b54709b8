import { describe, expect, test } from "vitest";
import { see } from "#sandbox/testing/browser.ts";
import { cardFields, checkoutPages } from "#sandbox/testing/checkout.ts";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";

const sandbox = await sandboxForFile();
const openCheckout = await checkoutPages(sandbox);

type Page = Awaited<ReturnType<typeof openCheckout>>;

/** Types all digits at once, because focus moves to the next field automatically. */
async function typeCard(page: Page, number: string) {
  await page.locator("[data-ready]").waitFor();
  await page.locator("label").click();
  await see(cardFields(page).number).toBeFocused();
  await page.keyboard.type(`${number}1240123`);
}

const outcomeOf = (page: Page) => see(page.locator("output"));

describe("the card element", () => {
  test("the card element pays with a valid card, whose number the page never receives", async () => {
    const page = await openCheckout();
    await see(page.locator("button")).toBeDisabled();
    await typeCard(page, "4242424242424242");
    await see(cardFields(page).number).toHaveValue("4242 4242 4242 4242");
    await see(cardFields(page).expiry).toHaveValue("12 / 40");
    await page.locator("button").click();
    await outcomeOf(page).toHaveText("succeeded");
    expect(await page.content()).not.toMatch(/4242 ?4242/);
    const [charge] = (await sandbox.ledger()).charges;
    expect(charge?.billing_details).toMatchObject({ name: "Ada Buyer", email: "ada@example.com" });
    await page.close();
  });

  test.each([
    ["4000002500003155", "Complete", "succeeded"],
    [
      "4000002760003184",
      "Fail",
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
    ],
  ])("with card %s, choosing %s in 3-D Secure shows %s", async (number, choice, outcome) => {
    const page = await openCheckout();
    await typeCard(page, number);
    await page.locator("button").click();
    await page.frameLocator("dialog iframe").getByRole("button", { name: choice }).click();
    await outcomeOf(page).toHaveText(outcome);
    await see(page.locator("dialog")).toHaveCount(0);
    await page.close();
  });

  test("the card element shows Stripe's validation messages", async () => {
    const page = await openCheckout();
    const { number, expiry, cvc } = cardFields(page);
    const problem = see(page.locator("[role=alert]"));
    await number.pressSequentially("4242424242424241");
    await problem.toHaveText("Your card number is invalid.");
    await number.fill("4242");
    await problem.toBeEmpty();
    await expiry.click();
    await problem.toHaveText("Your card number is incomplete.");
    await number.fill("4242424242424242");
    await expiry.fill("0120");
    await problem.toHaveText("Your card's expiration year is in the past.");
    await expiry.fill("1340");
    await problem.toHaveText("Your card's expiration month is invalid.");
    await expiry.fill("1240");
    await cvc.fill("12");
    await number.click();
    await problem.toHaveText("Your card's security code is incomplete.");
    await page.close();
  });

  test("a buyer can fill in the card element and pay with the keyboard alone", async () => {
    const page = await openCheckout();
    const { number, expiry, cvc } = cardFields(page);
    await page.locator("[data-ready]").waitFor();
    for (const field of [number, expiry, cvc]) {
      await page.keyboard.press("Tab");
      await see(field).toBeFocused();
    }
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await see(number).toBeFocused();
    await page.keyboard.type("37828224631000512401234");
    await see(cvc).toHaveValue("1234");
    await page.keyboard.press("Enter");
    await outcomeOf(page).toHaveText("succeeded");
    await page.close();
  });

  test("the caret stays in place when digits are inserted in the middle of the card number", async () => {
    const page = await openCheckout();
    const { number } = cardFields(page);
    await page.locator("[data-ready]").waitFor();
    await number.pressSequentially("42424242");
    await see(number).toHaveValue("4242 4242");
    for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("99");
    await see(number).toHaveValue("4242 9942 42");
    await page.close();
  });

  test("a page on another host cannot embed the card element", async () => {
    const page = await openCheckout("elsewhere.test");
    const said = async () => (await page.consoleMessages()).map((message) => message.text()).join();
    await expect.poll(said).toContain("frame-ancestors");
    await see(cardFields(page).number).toHaveCount(0);
    await page.close();
  });
});
