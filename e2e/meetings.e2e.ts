import { expect } from "@playwright/test";
import { cancelBooking } from "#contract/bookings.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop } from "./accounts.ts";
import { openActions, rowOf, signIn, test, toastOf } from "./fixtures.ts";

// The buyer's time zone. The seller's browser uses another time zone.
test.use({ timezoneId: "America/New_York" });

test("a buyer proposes a place and time; the seller sees the proposal immediately and accepts it", async ({
  page,
  browser,
  newSeller,
  buyer,
}) => {
  const laptop = await listLaptop(newSeller);
  const booking = await bookLaptop(buyer, laptop);
  const context = await browser.newContext({ timezoneId: "America/Los_Angeles" });
  const theirs = await context.newPage();
  await signIn(theirs, newSeller);
  await theirs.goto("/dashboard/myProducts");
  await rowOf(theirs, laptop.product_name).getByRole("link", { name: "Place and time" }).click();
  await expect(theirs.getByRole("heading", { name: "Place and time" })).toBeVisible();

  await signIn(page, buyer);
  await page.goto("/dashboard");
  await openActions(rowOf(page, laptop.product_name));
  await rowOf(page, laptop.product_name).getByRole("link", { name: "Place and time" }).click();
  await page.getByRole("textbox", { name: "Place" }).clear();
  await page.getByRole("button", { name: "Propose" }).click();
  await expect(page.getByText("Say where you want to meet.")).toBeVisible();
  await page.getByRole("textbox", { name: "Place" }).fill("Central library, café");
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Date and time").fill(`${day}T15:00`);
  await page.getByRole("button", { name: "Propose" }).click();
  await expect(toastOf(page, "Proposed. We've emailed the other side.")).toBeVisible();
  await expect(page.getByText("You proposed this.")).toBeVisible();

  const plan = theirs.getByRole("region", { name: "Place and time" });
  await expect(plan).toContainText("Central library, café");
  await expect(plan).toContainText(/3:00\sPM E[SD]T \(.*12:00\sPM P[SD]T for you\)/);
  await plan.getByRole("button", { name: "Accept" }).click();
  await expect(plan.getByText("Agreed")).toBeVisible();
  await context.close();

  await expect(page.getByText("Agreed", { exact: true })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Add to calendar" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("handover.ics");
  await page.goto("/dashboard");
  await expect(rowOf(page, laptop.product_name)).toContainText(/You meet on .* 3:00\sPM/);
  await newSeller.call(cancelBooking, { params: { id: booking } });
  await page.goto(paths.handover(booking));
  await expect(page.getByText("This deal has ended")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Place and time" })).toHaveCount(0);
});
