import { expect, type Locator } from "@playwright/test";
import { confirmHandover } from "#contract/handover.ts";
import { acceptMeeting, proposeMeeting } from "#contract/meetings.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop, payForBooking } from "./accounts.ts";
import { columnsOf, openActions, rowOf, signIn, signInAs, test, toastOf } from "./fixtures.ts";

test.describe("My Products", () => {
  test("§2.3.9 §4.4 §9.7: My Products lists SL, Image, Title, Price, Status, Advertise and Action", async ({
    page,
    newSeller,
    buyer,
  }) => {
    const older = await listLaptop(newSeller, { resale_price: 1299.5 });
    const booked = await listLaptop(newSeller);
    await bookLaptop(buyer, booked);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    await expect(columnsOf(page)).toHaveText([
      "SL",
      "Image",
      "Title",
      "Price",
      "Status",
      "Advertise",
      "Action",
    ]);
    const row = rowOf(page, older.product_name);
    await expect(row.getByRole("cell").first()).toHaveText("2");
    await expect(row.getByRole("img", { name: older.product_name })).toBeVisible();
    const title = row.getByRole("link", { name: older.product_name, exact: true });
    await expect(title).toHaveAttribute("href", paths.laptop(older._id, older.product_name));
    const price = row.getByRole("cell", { name: "$1,299.50" });
    await expect(price).toHaveCSS("text-align", "right");
    await expect(row).toContainText(/available/i);
    await expect(rowOf(page, booked.product_name)).toContainText(/booked/i);
    await expect(advertiseIn(rowOf(page, booked.product_name))).toHaveCount(0);
  });

  test("§2.3.9: My Products lists laptops that need action first, then new listings, and collapses those handed over", async ({
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
    await bookLaptop(buyer, held);
    const params = { id: await bookLaptop(buyer, planned) };
    const startsAt = new Date(Date.now() + 86_400_000).toISOString();
    const place = { place: "Central Library", startsAt, timeZone: "UTC" };
    const proposed = await buyer.call(proposeMeeting, { params, body: place });
    await newSeller.call(acceptMeeting, { params, body: { meeting: proposed.insertedId } });
    await payForBooking(buyer, await bookLaptop(buyer, paid));
    const handedOver = await bookLaptop(buyer, done);
    await payForBooking(buyer, handedOver);
    await buyer.call(confirmHandover, { body: { id: handedOver } });
    const free = await listLaptop(newSeller);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
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

  test("§10.11: a seller sees who holds a laptop and ends the hold; the buyer sees that the seller ended it", async ({
    page,
    newSeller,
    buyer,
  }) => {
    const laptop = await listLaptop(newSeller);
    await bookLaptop(buyer, laptop);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    const row = rowOf(page, laptop.product_name);
    await expect(row).toContainText("Not paid yet.");
    await expect(row.getByRole("link", { name: buyer.email })).toBeVisible();
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
  });

  test("§2.3.9 §4.5 §7.12: the Advertise button in My Products toggles between Advertise Off and Advertise On", async ({
    page,
    newSeller,
  }) => {
    const laptop = await listLaptop(newSeller);
    const row = rowOf(page, laptop.product_name);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    await expect(advertiseIn(row)).toHaveText("Advertise Off");
    const sent = page.waitForRequest((request) => request.method() === "PUT");
    for (const next of ["Advertise On", "Advertise Off"]) {
      await advertiseIn(row).click();
      await expect(advertiseIn(row)).toHaveText(next);
      await expect(advertiseIn(row)).toBeFocused();
    }
    const toggling = await sent;
    expect(toggling.postDataJSON()).toEqual({ id: laptop._id, advertiseStatus: false });
  });

  test("§2.3.9 §5.5: Delete in My Products asks for confirmation first", async ({
    page,
    newSeller,
  }) => {
    const { product_name } = await listLaptop(newSeller);
    await signIn(page, newSeller);
    await page.goto("/dashboard/myProducts");
    const row = rowOf(page, product_name);
    const ask = async () => {
      await openActions(row);
      await row.getByRole("button", { name: "Delete" }).click();
    };
    const dialog = page.getByRole("dialog", { name: "Are you sure you want to delete?" });

    await test.step("§2.1.4 §8.7: Cancel deletes nothing", async () => {
      await ask();
      const message = `If you delete ${product_name}. It cannot be undone.`;
      await expect(dialog.getByText(message, { exact: true })).toBeVisible();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(dialog).toBeHidden();
      await page.reload();
      await expect(rowOf(page, product_name)).toBeVisible();
    });

    await test.step("§8.6.6: Delete removes the laptop and shows a toast", async () => {
      await ask();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await expect(toastOf(page, `Product ${product_name} deleted successfully`)).toBeVisible();
      await expect(page.getByText("You haven't listed a laptop yet")).toBeVisible();
      await expect(page.getByRole("main")).toBeFocused();
    });
  });
});

function advertiseIn(row: Locator): Locator {
  return row.getByRole("button", { name: /Advertise/ });
}
