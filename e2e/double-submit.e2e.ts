import { expect, type Page } from "@playwright/test";
import { listBookings } from "#contract/bookings.ts";
import { listSellerProducts } from "#contract/products.ts";
import { listLaptop } from "./accounts.ts";
import { openActions, rowOf, signIn, test, toastOf } from "./fixtures.ts";
import { countRequests } from "./network.ts";

// The second tab gets a 404 or 409.
test.use({ expectedErrors: [/status of 4(04|09)/] });

test("§10.15: a double click on Submit and a second Submit in another tab book the laptop only once", async ({
  buyerPage: page,
  buyer,
  laptop,
}) => {
  const tabs = await twoTabs(page, `/categoryProducts/${laptop.category}?book=${laptop._id}`);
  const sent = countRequests(page, "POST", /\/api\/bookingProducts$/);
  for (const tab of tabs) {
    await tab.getByLabel("Phone").fill("5550177");
    await tab.getByLabel("Meeting Location").fill("Union Station");
  }
  for (const tab of tabs) {
    await tab.getByRole("button", { name: "Submit" }).dblclick();
    await expect(rowOf(tab, laptop.product_name)).toHaveCount(1);
  }
  expect(sent()).toBe(1);
  const bookings = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(bookings).toHaveLength(1);
});

test("§4.5 §10.15: a double click on Advertise toggles it once; a click in an outdated tab only shows the current value", async ({
  page,
  newSeller,
}) => {
  const { product_name } = await listLaptop(newSeller);
  await signIn(page, newSeller);
  const [here, there] = await twoTabs(page, "/dashboard/myProducts");
  const buttonOf = (tab: Page) =>
    rowOf(tab, product_name).getByRole("button", { name: /Advertise/ });
  await expect(buttonOf(there)).toHaveText("Advertise Off");
  // The delay lets the server respond to the first click before the second.
  await buttonOf(here).dblclick({ delay: 150 });
  await expect(buttonOf(here)).toHaveText("Advertise On");
  await here.reload();
  await expect(buttonOf(here)).toHaveText("Advertise On");
  await buttonOf(there).click();
  await expect(toastOf(there, /Check it before you change it again/)).toBeVisible();
  await expect(buttonOf(there)).toHaveText("Advertise On");
  const [product] = await newSeller.call(listSellerProducts, {
    params: { email: newSeller.email },
  });
  expect(product).toMatchObject({ advertise: true });
});

test("§10.15: a double click on Delete sends one request; Delete in a second tab shows a message and removes the row", async ({
  page,
  newSeller,
}) => {
  const { product_name } = await listLaptop(newSeller);
  const sent = countRequests(page, "DELETE", /\/api\/products\//);
  await signIn(page, newSeller);
  const tabs = await twoTabs(page, "/dashboard/myProducts");
  for (const tab of tabs) {
    await openActions(rowOf(tab, product_name));
    await rowOf(tab, product_name).getByRole("button", { name: "Delete" }).click();
    await tab.getByRole("dialog").getByRole("button", { name: "Delete" }).dblclick();
    await expect(toastOf(tab, /./)).toHaveCount(1);
    await expect(rowOf(tab, product_name)).toHaveCount(0);
  }
  expect(sent()).toBe(1);
});

async function twoTabs(page: Page, address: string): Promise<[Page, Page]> {
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await tab.goto(address);
    await expect(tab.getByRole("main").getByRole("button").first()).toBeVisible();
  }
  return [page, other];
}
