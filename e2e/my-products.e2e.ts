import { expect, type Locator, type Page } from "@playwright/test";
import { acceptMeeting, proposeMeeting } from "#contract/meetings.ts";
import { listSellerProducts } from "#contract/products.ts";
import { paths } from "#web/paths.ts";
import {
  bookLaptop,
  buyLaptop,
  type Laptop,
  listLaptop,
  type Member,
  receiveLaptop,
} from "./accounts.ts";
import {
  columnsOf,
  navigateOnClient,
  openActions,
  rowOf,
  signIn,
  signInAs,
  test,
  toastOf,
  twoTabs,
} from "./fixtures.ts";
import { countRequests, endEventStreams } from "./network.ts";

// The second tab gets a 404 or 409.
test.use({ expectedErrors: [/status of 4(04|09)/] });

test.describe("My Products", () => {
  test("§2.3.9 §4.4 §9.7: My Products lists SL, Image, Title, Price, Status, Advertise and Action", async ({
    page,
    newSeller,
    buyer,
  }) => {
    const [done, paid, held, planned] = [
      await listLaptop(newSeller),
      await listLaptop(newSeller),
      await listLaptop(newSeller),
      await listLaptop(newSeller),
    ];
    const booking = await bookLaptop(buyer, held);
    const params = { id: await bookLaptop(buyer, planned) };
    const startsAt = new Date(Date.now() + 86_400_000).toISOString();
    const place = { place: "Central Library", startsAt, timeZone: "UTC" };
    const proposed = await buyer.call(proposeMeeting, { params, body: place });
    await newSeller.call(acceptMeeting, { params, body: { meeting: proposed.insertedId } });
    const { booking: sale } = await buyLaptop(buyer, paid);
    await receiveLaptop(buyer, done);
    const free = await listLaptop(newSeller, { resale_price: 1299.5 });
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    const columns = ["SL", "Image", "Title", "Price", "Status", "Advertise", "Action"];
    await expect(columnsOf(page)).toHaveText(columns);

    await test.step("§2.3.9: laptops that need action come first, then new listings, and laptops already handed over are collapsed", async () => {
      const rows = page.getByRole("table", { name: "My Products" }).getByRole("row");
      await expect(rows).toHaveText([
        /^SL/,
        ...[paid, held, free, planned].map(({ product_name }) => new RegExp(product_name)),
      ]);
      await expect(rowOf(page, done.product_name)).toBeHidden();
      await page.getByText("Sold and handed over (1)").click();
      await expect(rowOf(page, done.product_name)).toBeVisible();
      await expect(page.getByRole("button", { name: /Advertise/ })).toHaveCount(1);
    });
    await test.step("the seller is asked to agree on a time and place for a paid laptop until they propose one", async () => {
      const task = page.getByRole("link", { name: /^Agree on a time and place/ });
      await expect(task).toHaveText(`Agree on a time and place for ${paid.product_name}`);
      await newSeller.call(proposeMeeting, { params: { id: sale }, body: place });
      await expect(task).toHaveCount(0);
    });
    const row = rowOf(page, free.product_name);
    await expect(row.getByRole("cell").first()).toHaveText("3");
    await expect(row.getByRole("img", { name: free.product_name })).toBeVisible();
    const title = row.getByRole("link", { name: free.product_name, exact: true });
    await expect(title).toHaveAttribute("href", paths.laptop(free._id, free.product_name));
    const price = row.getByRole("cell", { name: "$1,299.50" });
    await expect(price).toHaveCSS("text-align", "right");
    await expect(row).toContainText(/available/i);
    await expect(advertiseIn(row)).toHaveText("Advertise Off");
    await expect(rowOf(page, held.product_name)).toContainText(/booked/i);
    await expect(rowOf(page, paid.product_name)).toContainText(/sold/i);
    await test.step("§10.11: a seller sees who holds a laptop and ends the hold, and the buyer sees that the seller ended it", () =>
      endHold(page, { buyer, laptop: held, booking }));
  });

  test("§2.3.9 §4.5 §7.12 §10.15: a double click on Advertise toggles it once, and a click in an outdated tab only shows the current value", async ({
    page,
    newSeller,
  }) => {
    const laptop = await listLaptop(newSeller);
    const { product_name } = laptop;
    await signIn(page, newSeller);
    // An opening stream would update the outdated tab.
    await endEventStreams(page.context());
    const [here, there] = await twoTabs(page, "/dashboard/myProducts");
    const buttonOf = (tab: Page) => advertiseIn(rowOf(tab, laptop.product_name));
    await expect(buttonOf(there)).toHaveText("Advertise Off");
    const sent = here.waitForRequest((request) => request.method() === "PUT");
    // The delay lets the server respond to the first click before the second.
    await buttonOf(here).dblclick({ delay: 150 });
    await expect(buttonOf(here)).toHaveText("Advertise On");
    await expect(buttonOf(here)).toBeFocused();
    const toggling = await sent;
    expect(toggling.postDataJSON()).toEqual({ id: laptop._id, advertiseStatus: false });
    await buttonOf(there).click();
    await expect(toastOf(there, /Check it before you change it again/)).toBeVisible();
    await expect(buttonOf(there)).toHaveText("Advertise On");
    const params = { email: newSeller.email };
    const [product] = await newSeller.call(listSellerProducts, { params });
    expect(product).toMatchObject({ advertise: true });
    await buttonOf(here).click();
    await expect(buttonOf(here)).toHaveText("Advertise Off");
    await test.step("§2.3.9 §5.5 §10.15: Delete in My Products asks first and sends one request, and Delete in a second tab shows a message", async () => {
      await expect(toastOf(there, /./)).toHaveCount(0);
      await deleteInTwoTabs(here, there, product_name);
    });
  });
});

async function deleteInTwoTabs(here: Page, there: Page, product_name: string): Promise<void> {
  const sent = countRequests(here, "DELETE", /\/api\/products\//);
  for (const tab of [here, there]) await openActions(rowOf(tab, product_name));
  const ask = async (tab: Page) => {
    await rowOf(tab, product_name).getByRole("button", { name: "Delete" }).click();
    return tab.getByRole("dialog", { name: "Are you sure you want to delete?" });
  };

  await test.step("§2.1.4 §8.7: Cancel deletes nothing", async () => {
    const dialog = await ask(here);
    const message = `If you delete ${product_name}. It cannot be undone.`;
    await expect(dialog.getByText(message, { exact: true })).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await expect(rowOf(here, product_name)).toBeVisible();
    expect(sent()).toBe(0);
  });

  const late = await ask(there);
  await test.step("§8.6.6: Delete removes the laptop and shows a toast", async () => {
    const dialog = await ask(here);
    await dialog.getByRole("button", { name: "Delete" }).dblclick();
    await expect(toastOf(here, `Product ${product_name} deleted successfully`)).toBeVisible();
    await expect(here.getByText("You haven't listed a laptop yet")).toBeVisible();
    await expect(here.getByRole("main")).toBeFocused();
    expect(sent()).toBe(1);
  });

  await test.step("in a second tab, Delete shows a message and removes the row", async () => {
    await late.getByRole("button", { name: "Delete" }).dblclick();
    await expect(toastOf(there, /./)).toHaveCount(1);
    await expect(rowOf(there, product_name)).toHaveCount(0);
  });
}

type Hold = { buyer: Member; laptop: Laptop; booking: string };

async function endHold(page: Page, { buyer, laptop, booking }: Hold): Promise<void> {
  const row = rowOf(page, laptop.product_name);
  await expect(row).toContainText("Not paid yet.");
  await expect(row.getByRole("link", { name: buyer.email })).toBeVisible();
  await expect(row.getByRole("link", { name: "Place and time" })).toBeVisible();
  await openActions(row);
  await row.getByRole("button", { name: "End hold" }).click();
  const dialog = page.getByRole("dialog", { name: "End this hold?" });
  await dialog.getByRole("button", { name: "End hold" }).click();
  await expect(toastOf(page, `${laptop.product_name} is back on sale.`)).toBeVisible();
  await expect(row).toContainText(/available/i);
  await openActions(row);
  await expect(row.getByRole("button", { name: "Delete" })).toBeVisible();
  await signInAs(page, buyer);
  await page.goto("/dashboard");
  await expect(row).toContainText("The seller ended this hold before you paid.");
  await navigateOnClient(page, paths.handover(booking));
  await expect(page.getByText("This deal has ended")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Place and time" })).toHaveCount(0);
}

function advertiseIn(row: Locator): Locator {
  return row.getByRole("button", { name: /Advertise/ });
}
