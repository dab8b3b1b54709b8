import { expect, type Page } from "@playwright/test";
import { listBookings } from "#contract/bookings.ts";
import { bookLaptop, cardsOf, listLaptop, registerMember } from "./accounts.ts";
import { fillCard, signIn, test } from "./fixtures.ts";
import { advanceUntilVisible, delayResponses } from "./network.ts";

// The 400 is for the second confirmation, because the card was already charged.
test.use({ expectedErrors: [/status of (400|500|502)/] });

const number = "4242 4242 4242 4242";

test("while the card provider fails, the card form keeps its values, and paying again charges the card once", async ({
  page,
  ownServer,
}) => {
  const seller = await registerMember(ownServer.url, "seller");
  const buyer = await registerMember(ownServer.url, "buyer");
  const booking = await bookLaptop(buyer, await listLaptop(seller));
  const provider = await cardsOf(buyer);
  const fail = (path: string, failure: object) =>
    provider.injectFaults({
      failNext: { method: "POST", path: `/v1/payment_intents${path}`, ...failure },
      // Without webhooks, the page itself has to find out that the card was charged.
      webhook: { hold: true },
    });
  const pay = page.getByRole("button", { name: /^Pay \$/ });
  const error = page.getByRole("alert").filter({ hasText: /\w/ });
  await page.clock.install();
  await signIn(page, buyer);

  await test.step("our server gets a 500 for the payment intent", async () => {
    await fail("", { status: 500, times: 1000 });
    await page.goto(`${ownServer.url}/dashboard/payment/${booking}`);
    await fillCard(page, number);
    await advanceUntilVisible(page, page.getByText("The card provider does not answer just now."));
    await expectFilledCard(page);
    await provider.injectFaults({});
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(pay).toBeEnabled();
    await expectFilledCard(page);
  });

  // Otherwise, the page could learn first that the job of every minute found the payment.
  const showBooking = await delayResponses(page, "**/api/bookingProducts/pay/**");

  await test.step("the payment confirmation is slow, then fails with a 500", async () => {
    await fail("/:id/confirm", { status: 500 });
    const release = await delayResponses(page, "**/v1/payment_intents/*/confirm");
    await pay.click();
    await expect(pay).toBeDisabled();
    release();
    await expect(error).toBeVisible();
    await expectFilledCard(page);
  });

  await test.step("the card is charged, but the response is lost", async () => {
    await fail("/:id/confirm", { status: 500, afterWork: true });
    await Promise.all([page.waitForResponse("**/v1/payment_intents/*/confirm"), pay.click()]);
    await expect(error).toBeVisible();
    await expectFilledCard(page);
  });

  await provider.injectFaults({ webhook: { hold: true } });
  await pay.click();
  showBooking();
  await expect(page.getByText("Congrats! your payment completed")).toBeVisible();
  const { charges } = await provider.ledger();
  expect(charges.map(({ status }) => status)).toEqual(["succeeded"]);
  const orders = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(orders).toMatchObject([{ paid: true, transactionId: charges[0]?.payment_intent }]);
});

async function expectFilledCard(page: Page): Promise<void> {
  const fields = page.frameLocator("iframe").first();
  for (const [name, value] of Object.entries({
    cardnumber: number,
    "exp-date": "12 / 34",
    cvc: "123",
  }))
    await expect(fields.locator(`[name=${name}]`)).toHaveValue(value);
}
