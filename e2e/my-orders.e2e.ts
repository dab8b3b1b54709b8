import { expect } from "@playwright/test";
import { listBookings } from "#contract/bookings.ts";
import { paths } from "#web/paths.ts";
import { demoAccounts, logInMember } from "./accounts.ts";
import {
  cardOf,
  columnsOf,
  navigateOnClient,
  openActions,
  rowOf,
  signIn,
  test,
  toastOf,
} from "./fixtures.ts";

test.describe("My Orders", () => {
  test("§2.3.7 §9.7 §10.11: My Orders lists SL, Image, Title, Price and Payment with a Pay link, and lets the buyer end the hold", async ({
    buyerPage: page,
    seller,
    laptop,
    booking,
  }) => {
    await page.goto("/dashboard");
    await expect(columnsOf(page)).toHaveText(["SL", "Image", "Title", "Price", "Payment"]);
    const row = rowOf(page, laptop.product_name);
    const serialNumber = row.getByRole("cell").first();
    await expect(serialNumber).toHaveText("1");
    await expect(row.getByRole("img", { name: laptop.product_name })).toBeVisible();
    const title = row.getByRole("link", { name: laptop.product_name, exact: true });
    await expect(title).toHaveAttribute("href", paths.laptop(laptop._id, laptop.product_name));
    await expect(row).toContainText("$640");
    await expect(row.getByRole("link", { name: "Pay" })).toHaveText("Pay");
    await row.getByRole("link", { name: "Pay" }).click();
    await expect(page).toHaveURL(`/dashboard/payment/${booking}`);

    await test.step("End hold frees the laptop and hides the seller's email address", async () => {
      await page.goBack();
      await expect(row).toContainText(seller.email);
      await openActions(row);
      const plan = row.getByRole("link", { name: "Place and time" });
      await expect(plan).toHaveAttribute("href", paths.handover(booking));
      await row.getByRole("button", { name: "End hold" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "End hold" }).click();
      await expect(toastOf(page, `Your hold on ${laptop.product_name} has ended.`)).toBeVisible();
      await expect(row).toContainText(/canceled/i);
      await expect(row).toBeFocused();
      await expect(row).not.toContainText(seller.email);
      await expect(row.getByRole("link", { name: "Pay" })).toHaveCount(0);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect.poll(async () => (await serialNumber.boundingBox())?.width).toBeGreaterThan(20);
      await navigateOnClient(page, `/categoryProducts/${laptop.category}`);
      await expect(cardOf(page, laptop)).toBeVisible();
    });
  });

  test("§10.10: My Orders shows a hold's remaining time and the seller's contact details, and updates when the hold expires", async ({
    page,
    seller,
    buyer,
    laptop,
    booking: _,
  }) => {
    await page.clock.install();
    await signIn(page, buyer);
    await page.goto("/dashboard");
    const row = rowOf(page, laptop.product_name);
    await expect(row).toContainText("Held for you for another 24 hours.");
    await expect(row.getByRole("link", { name: seller.email })).toBeVisible();
    await expect(row).toContainText(laptop.mobile_number);
    await page.clock.fastForward("23:30:00");
    await expect(row).toContainText(/another 3[01] minutes/);
    const [booking] = await buyer.call(listBookings, { params: { email: buyer.email } });
    await page.clock.pauseAt(Date.parse(String(booking?.heldUntil)) - 5_000);
    await expect(row).toContainText("another 1 minute.");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/bookingProducts/*", async (route) => {
      await released;
      await route.fulfill({ json: [{ ...booking, state: "expired" }] });
    });
    await page.clock.runFor(6_000);
    await expect(row).toContainText("The hold has expired.");
    release();
    await page.clock.resume();
    await expect(row).toContainText("The hold expired before you paid.");
    await expect(row.getByRole("link", { name: "Pay" })).toHaveCount(0);
  });

  test("§10.10: an expired hold can't be paid for, and its payment page links to the laptop's category", async ({
    page,
    baseURL,
  }) => {
    const elliot = await logInMember(String(baseURL), {
      ...demoAccounts.buyer,
      email: "elliot@demo.test",
    });
    const bookings = await elliot.call(listBookings, { params: { email: elliot.email } });
    const expired = bookings.find(({ state }) => state === "expired");
    await signIn(page, elliot);
    await page.goto("/dashboard");
    await expect(page.getByText("The hold expired before you paid.")).toBeVisible();
    await navigateOnClient(page, `/dashboard/payment/${expired?._id}`);
    await expect(page.getByText("There's nothing left to pay here")).toBeVisible();
    await page.getByRole("link", { name: "Browse this category" }).click();
    await expect(page.getByRole("heading", { name: "Products by Category" })).toBeVisible();
  });
});
