import { expect, type Page } from "@playwright/test";
import { listBookings } from "#contract/bookings.ts";
import { listSellerProducts } from "#contract/products.ts";
import { listLaptop } from "./accounts.ts";
import { fillCard, openActions, rowOf, signIn, test, toastOf } from "./fixtures.ts";
import { countRequests } from "./network.ts";

test.describe("a double click", () => {
  test("§10.15: a double click on Submit books the laptop once", async ({
    buyerPage: page,
    buyer,
    laptop,
  }) => {
    const sent = countRequests(page, "POST", /\/api\/bookingProducts$/);
    await page.goto(`/categoryProducts/${laptop.category}?book=${laptop._id}`);
    await page.getByLabel("Phone").fill("5550177");
    await page.getByLabel("Meeting Location").fill("Union Station");
    await page.getByRole("button", { name: "Submit" }).dblclick();
    await expect(rowOf(page, laptop.product_name)).toBeVisible();
    expect(sent()).toBe(1);
    const bookings = await buyer.call(listBookings, { params: { email: buyer.email } });
    expect(bookings).toHaveLength(1);
  });

  test("§10.15: a double click on Pay charges the card once", async ({
    buyerPage: page,
    booking,
  }) => {
    const confirmed = countRequests(page, "POST", /\/v1\/payment_intents\/\w+\/confirm$/);
    await page.goto(`/dashboard/payment/${booking}`);
    await fillCard(page, "4242 4242 4242 4242");
    await page.getByRole("button", { name: /^Pay \$/ }).dblclick();
    await expect(page.getByText("Congrats! your payment completed")).toBeVisible();
    expect(confirmed()).toBe(1);
  });

  test("§10.15: a double click on Advertise toggles the setting once", async ({
    page,
    newSeller,
  }) => {
    const { product_name } = await listLaptop(newSeller);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    const button = rowOf(page, product_name).getByRole("button", { name: /Advertise/ });
    // A slow double click: the server responds to the first click before the second click.
    await button.dblclick({ delay: 150 });
    await expect(button).toHaveText("Advertise On");
    await page.reload();
    await expect(button).toHaveText("Advertise On");
  });

  test("§10.15: a double click on Delete sends one request", async ({ page, newSeller }) => {
    const { product_name } = await listLaptop(newSeller);
    const sent = countRequests(page, "DELETE", /\/api\/products\//);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    await openActions(rowOf(page, product_name));
    await rowOf(page, product_name).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).dblclick();
    await expect(toastOf(page, `Product ${product_name} deleted successfully`)).toHaveCount(1);
    expect(sent()).toBe(1);
  });
});

test.describe("with the same page open in two tabs", () => {
  // The browser logs the second tab's 404 or 409 as an error.
  test.use({ expectedErrors: [/status of 4(04|09)/] });

  test("§4.5: pressing Advertise in an outdated tab shows a message and the current value", async ({
    page,
    newSeller,
  }) => {
    const { product_name } = await listLaptop(newSeller);
    await signIn(page, newSeller);
    const [here, there] = await twoTabs(page, "/dashboard/myProducts");
    const buttonOf = (tab: Page) =>
      rowOf(tab, product_name).getByRole("button", { name: /Advertise/ });
    await expect(buttonOf(there)).toHaveText("Advertise Off");
    await buttonOf(here).click();
    await expect(buttonOf(here)).toHaveText("Advertise On");
    await buttonOf(there).click();
    await expect(toastOf(there, /Check it before you change it again/)).toBeVisible();
    await expect(buttonOf(there)).toHaveText("Advertise On");
    const [product] = await newSeller.call(listSellerProducts, {
      params: { email: newSeller.email },
    });
    expect(product).toMatchObject({ advertise: true });
  });

  test("deleting a laptop that another tab has deleted shows a message and removes the row", async ({
    page,
    newSeller,
  }) => {
    const { product_name } = await listLaptop(newSeller);
    await signIn(page, newSeller);
    const tabs = await twoTabs(page, "/dashboard/myProducts");
    for (const tab of tabs) {
      await openActions(rowOf(tab, product_name));
      await rowOf(tab, product_name).getByRole("button", { name: "Delete" }).click();
      await tab.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await expect(toastOf(tab, /./).first()).toBeVisible();
      await expect(rowOf(tab, product_name)).toHaveCount(0);
    }
  });

  test("a buyer who submits the booking dialog in two tabs books the laptop once", async ({
    buyerPage: page,
    buyer,
    laptop,
  }) => {
    const tabs = await twoTabs(page, `/categoryProducts/${laptop.category}?book=${laptop._id}`);
    for (const tab of tabs) {
      await tab.getByLabel("Phone").fill("5550177");
      await tab.getByLabel("Meeting Location").fill("Union Station");
    }
    for (const tab of tabs) {
      await tab.getByRole("button", { name: "Submit" }).click();
      await expect(rowOf(tab, laptop.product_name)).toHaveCount(1);
    }
    const bookings = await buyer.call(listBookings, { params: { email: buyer.email } });
    expect(bookings).toHaveLength(1);
  });
});

/** Opens the URL in this tab and in a new tab. */
async function twoTabs(page: Page, address: string): Promise<[Page, Page]> {
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await tab.goto(address);
    await expect(tab.getByRole("main").getByRole("button").first()).toBeVisible();
  }
  return [page, other];
}
