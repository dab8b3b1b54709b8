import { expect, type Page } from "@playwright/test";
import { listBookings } from "#contract/bookings.ts";
import { bookLaptop, type Laptop, listLaptop, type Member } from "./accounts.ts";
import { dashboardMenu, fillCard, rgbOf, rowOf, signIn, spinnerOf, test } from "./fixtures.ts";
import {
  advanceUntilVisible,
  countRequests,
  delayResponses,
  endEventStreams,
  failedRequestLog,
} from "./network.ts";

const today = () =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format();
const payButton = (page: Page) => page.getByRole("button", { name: /^Pay \$/ });

test("§2.3.13 §4.9 §9.7: the payment page loads the booking and the intent, and disables Pay until the card and the client secret are ready", async ({
  buyerPage: page,
  seller,
  buyer,
}) => {
  const laptop = await listLaptop(seller, { resale_price: 1299.5 });
  const booking = await bookLaptop(buyer, laptop);
  // Without event streams, the page doesn't learn about a webhook that arrives first.
  await endEventStreams(page);
  const release = await delayResponses(page, "**/api/bookingProducts/pay/**");
  const releaseIntent = await delayResponses(page, "**/api/create-payment-intent");
  const asked = page.waitForRequest("**/api/create-payment-intent");
  await page.goto(`/dashboard/payment/${booking}`);
  await expect(spinnerOf(page)).toBeVisible();
  release();
  const intent = await asked;
  expect(intent.postDataJSON()).toEqual({ price: 1299.5, bookingId: booking });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    `Payment for ${laptop.product_name}`,
  );
  await expect(page.getByText("Please Pay $1,299.50 for your booking product")).toBeVisible();
  const myOrders = dashboardMenu(page).getByRole("link", { name: "My Orders" });
  await expect(myOrders).toHaveAttribute("aria-current", "true");
  await expect(page.getByText("Held for you for another 24 hours.")).toBeVisible();
  const pay = page.getByRole("button", { name: "Pay $1,299.50" });
  await expect(pay).toBeDisabled();
  await fillCard(page, "4242 4242 4242 4242");
  await expect(pay).toBeDisabled();
  releaseIntent();
  await expect(pay).toBeEnabled();
  await expect(
    page.getByText("We keep your money until 72 hours after the handover."),
  ).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("img", { name: laptop.product_name })).toBeVisible();
  await expect(page.getByText(`From ${seller.name}`)).toBeVisible();
  await expect(page.frameLocator("iframe").first().locator("[name=cardnumber]")).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await test.step("§4.9 §7.26 §9.9 §10.15: a double click on Pay sends the billing name and email, charges once, and shows the transaction ID", () =>
    payTwice(page, { buyer, seller, laptop, booking }));
});

type Deal = { buyer: Member; seller: Member; laptop: Laptop; booking: string };

async function payTwice(page: Page, { buyer, seller, laptop, booking }: Deal): Promise<void> {
  const before = today();
  const confirmed = page.waitForRequest(/\/v1\/payment_intents\/\w+\/confirm/);
  const recorded = page.waitForRequest("**/api/payments");
  const recordings = countRequests(page, "POST", /\/api\/payments$/);
  const confirmations = countRequests(page, "POST", /\/v1\/payment_intents\/\w+\/confirm$/);
  const release = await delayResponses(page, "**/api/payments");
  await payButton(page).dblclick();
  const billing = new URLSearchParams((await confirmed).postData() ?? "");
  expect([...billing.values()]).toEqual(expect.arrayContaining([buyer.name, buyer.email]));
  await expect(payButton(page)).toBeDisabled();
  const { transactionId, ...rest } = (await recorded).postDataJSON();
  expect(rest).toMatchObject({
    price: 1299.5,
    email: buyer.email,
    bookingId: booking,
    productId: laptop._id,
  });
  release();
  await expect(page.getByText("Congrats! your payment completed")).toBeFocused();
  await expect(page.getByText(transactionId, { exact: true })).toBeVisible();
  const [order] = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(order).toMatchObject({ paid: true, price: 1299.5, transactionId });
  expect(recordings()).toBe(1);
  expect(confirmations()).toBe(1);
  await test.step("the page prints as a receipt without navigation", async () => {
    await page.emulateMedia({ media: "print" });
    const receipt = page.getByRole("region", { name: "Receipt" });
    for (const said of ["Secondlap", laptop.product_name, "$1,299.50", seller.name, buyer.name])
      await expect(receipt).toContainText(said);
    await expect(receipt).toContainText(new RegExp(`${before}|${today()}`));
    await expect(page.getByText(transactionId, { exact: true })).toBeVisible();
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await expect(page.getByRole("button")).toHaveCount(0);
    await page.emulateMedia({ media: "screen" });
  });
  await page.getByRole("link", { name: "Agree on place and time" }).click();
  await expect(page.getByRole("textbox", { name: "Place" })).toHaveValue(
    "Union Station, under the clock",
  );
  await page.goBack();
  await page.getByRole("link", { name: "Back to My Orders" }).click();
  await test.step("§2.3.7: a paid order shows Paid in green", async () => {
    const cell = rowOf(page, laptop.product_name).getByRole("cell").last();
    const paid = cell.getByText("Paid", { exact: true });
    await expect(paid).toBeVisible();
    const { red, green, blue } = await rgbOf(paid);
    expect(green).toBeGreaterThan(Math.max(red, blue) * 1.4);
  });
}

test.describe("a payment that succeeds but can't be recorded", () => {
  test.use({ expectedErrors: [failedRequestLog] });

  test("a payment that succeeds but can't be recorded is shown as paid, without a Pay button", async ({
    page,
    buyer,
    booking,
  }) => {
    await page.clock.install();
    await signIn(page, buyer);
    await page.goto(`/dashboard/payment/${booking}`);
    await fillCard(page, "4242 4242 4242 4242");
    await expect(payButton(page)).toBeEnabled();
    await page.route("**/api/payments", (route) => route.abort());
    await page.route("**/api/bookingProducts/pay/**", (route) => route.abort());
    const notRecorded = page.waitForEvent("requestfailed", (r) =>
      r.url().endsWith("/api/payments"),
    );
    await payButton(page).click();
    await notRecorded;
    await advanceUntilVisible(page, page.getByText("You don't need to pay again."));
    await expect(payButton(page)).toHaveCount(0);
    await page.unrouteAll();
    await page.getByRole("link", { name: "Back to My Orders" }).click();
    await expect(page).toHaveURL("/dashboard");
  });
});

test.describe("a card that is declined or needs 3-D Secure", () => {
  test.use({ expectedErrors: [/status of 402/] });

  test("§8.3: a declined card shows the provider's message in red, and another card works if it passes 3-D Secure", async ({
    buyerPage: page,
    buyer,
    laptop,
  }) => {
    await page.goto(`/dashboard/payment/${await bookLaptop(buyer, laptop)}`);
    await fillCard(page, "4000 0000 0000 0002");
    await payButton(page).click();
    const message = page.getByText("Your card was declined.");
    await expect(message).toBeVisible();
    await expect(payButton(page)).toBeFocused();
    const { red, green, blue } = await rgbOf(message);
    expect(red).toBeGreaterThan(Math.max(green, blue) * 1.5);
    await fillCard(page, "4242 4242 4242 4242");
    await expect(message).toHaveCount(0);
    await dashboardMenu(page).getByRole("link", { name: "My Orders" }).click();
    await rowOf(page, laptop.product_name).getByRole("link", { name: "Pay" }).click();
    const step = page.frameLocator("dialog iframe");
    for (const [outcome, says] of [
      ["Fail", "We are unable to authenticate your payment method."],
      ["Complete", "Congrats! your payment completed"],
    ] as const) {
      await fillCard(page, "4000 0027 6000 3184");
      await payButton(page).click();
      await step.getByRole("button", { name: outcome }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByText(says)).toBeVisible();
    }
  });
});
