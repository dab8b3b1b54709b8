import { expect, type Page } from "@playwright/test";
import { listReports } from "#contract/reports.ts";
import { bookLaptop, type Laptop, listLaptop, type Member, registerMember } from "./accounts.ts";
import {
  cardOf,
  navigateOnClient,
  rowOf,
  submitBooking,
  test,
  toastOf,
  twoTabs,
} from "./fixtures.ts";
import { countRequests } from "./network.ts";

/** Submits the open dialog and returns the request body. */
async function submittedBody(page: Page): Promise<unknown> {
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("dialog").getByRole("button", { name: "Submit", exact: true }).click();
  return (await sent).postDataJSON();
}

test.use({ expectedErrors: [/status of 4(00|09)/] });

test.describe("the booking dialog", () => {
  test("§2.3.3 §4.7: the booking dialog asks for phone and meeting place, holds the laptop, and refetches the buyer's orders", async ({
    buyerPage: page,
    seller,
    buyer,
    demoMembers,
    baseURL,
  }) => {
    const laptop = await listLaptop(seller, { resale_price: 1299.5 });
    const [taken, doubtful] = [await listLaptop(seller), await listLaptop(seller)];
    await page.goto("/dashboard");
    await expect(page.getByText("You haven't booked a laptop yet")).toBeVisible();
    await navigateOnClient(page, `/categoryProducts/${laptop.category}`);
    await cardOf(page, laptop).getByRole("button", { name: "Book Now" }).click();
    const dialog = page.getByRole("dialog", { name: laptop.product_name });

    await test.step("§2.6.1 §2.6.2 §2.6.3 §5.4 §9.7: the dialog names the laptop and shows buyer and dollar price read-only", async () => {
      await expect.soft(dialog.getByRole("heading")).toHaveText(laptop.product_name);
      const given = { Name: buyer.name, Email: buyer.email, Price: "$1,299.50" };
      for (const [label, value] of Object.entries(given)) {
        await expect.soft(dialog.getByLabel(label)).toHaveValue(value);
        await expect.soft(dialog.getByLabel(label)).not.toBeEditable();
      }
    });

    await test.step("the dialog shows the whole description and the hold's length, and focuses the first empty field", async () => {
      await expect.soft(dialog).toContainText(laptop.description);
      await expect.soft(dialog).toContainText("We'll hold the laptop for you for 24 hours");
      await expect.soft(dialog.getByLabel("Phone")).toBeFocused();
    });

    const phone = dialog.getByLabel("Phone");
    const location = dialog.getByLabel("Meeting Location");
    await test.step("§2.6.4 §2.6.5 §2.6.6 §5.4: the dialog requires a numeric phone number and a meeting location", async () => {
      await expect.soft(phone).toHaveAttribute("inputmode", "tel");
      await phone.pressSequentially("call +1 (503) 555-0177 x");
      await expect.soft(phone).toHaveValue(/^ ?\+1 \(503\) 555-0177 $/);
      await phone.clear();
      await expect.soft(location).toHaveJSProperty("type", "text");
      await dialog.getByRole("button", { name: "Submit", exact: true }).click();
      await expect.soft(phone).toHaveAccessibleDescription("Phone is required.");
      await expect.soft(location).toHaveAccessibleDescription("Meeting location is required.");
    });

    await test.step("the phone field accepts dashes and leading zeros, but the server rejects a number without digits", async () => {
      await phone.fill("-----");
      await expect.soft(phone).toHaveAccessibleDescription("Only the seller sees it.");
      await dialog.getByRole("button", { name: "Submit", exact: true }).click();
      const wish = "Enter a phone number such as 503-555-0100.";
      await expect.soft(phone).toHaveAccessibleDescription(wish);
      await phone.fill("0503-555-0177");
      await phone.press("ArrowUp");
      await expect.soft(phone).toHaveValue("0503-555-0177");
      await expect.soft(phone).toHaveAccessibleDescription("Only the seller sees it.");
    });

    await test.step("the dialog warns if the meeting location is far from the laptop", async () => {
      const warning = dialog.getByText("from the laptop in Leeds");
      await location.fill("Portland, OR");
      await phone.focus();
      await expect(warning).toBeVisible();
      await location.fill("Union Station");
      await phone.focus();
      await expect(warning).toBeHidden();
    });

    await test.step("§8.4.1: submitting sends every field, opens My Orders and shows the toast: Booking confirmed.", async () => {
      await location.fill("Union Station");
      const body = await submittedBody(page);
      expect.soft(body).toMatchObject({
        name: buyer.name,
        email: buyer.email,
        price: 1299.5,
        phone: "0503-555-0177",
        location: "Union Station",
        paid: false,
        bookingProduct: { _id: laptop._id, product_name: laptop.product_name },
      });
      await expect(toastOf(page, "Booking confirmed.")).toBeVisible();
      await expect(dialog).toBeHidden();
      await expect(page).toHaveURL("/dashboard");
      await expect(rowOf(page, laptop.product_name)).toContainText("$1,299.50");
      await expect(rowOf(page, laptop.product_name)).toContainText("Meeting place: Union Station");
    });

    await test.step("after booking, Back does not reopen the dialog", async () => {
      await page.goBack();
      await expect(page.getByRole("heading", { name: "Products by Category" })).toBeVisible();
      await expect(page).toHaveURL(`/categoryProducts/${laptop.category}`);
      await expect(page.getByText("The laptop you chose isn't shown here.")).toHaveCount(0);
    });

    await test.step("§8.4.2: a toast shows the server's message if another buyer has just booked the laptop", async () => {
      await cardOf(page, taken).getByRole("button", { name: "Book Now" }).click();
      await bookLaptop(await registerMember(String(baseURL), "buyer"), taken);
      await submitBooking(page);
      await expect(toastOf(page, /^Someone else has just booked this laptop\./)).toBeVisible();
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(page.getByText("The laptop you chose isn't shown here.")).toBeVisible();
      await expect(page).toHaveURL(`/categoryProducts/${laptop.category}`);
    });

    await test.step("§2.7.1 §2.7.2 §2.7.3 §8.5.1 §4.8: the report dialog sends a comment to the admins", () =>
      sendReport({ page, buyer, laptop: doubtful, admin: demoMembers.admin }));
  });

  test("§10.15: a double click on Submit and a second Submit in another tab book the laptop only once", async ({
    buyerPage: page,
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
  });
});

type Report = { page: Page; buyer: Member; laptop: Laptop; admin: Member };

async function sendReport({ page, buyer, laptop, admin }: Report): Promise<void> {
  const report = cardOf(page, laptop).getByRole("button", { name: "Report" });
  await report.click();
  const dialog = page.getByRole("dialog", { name: laptop.product_name });
  await expect(dialog.getByRole("heading")).toHaveText(laptop.product_name);
  for (const [label, value] of Object.entries({ Name: buyer.name, Email: buyer.email })) {
    await expect(dialog.getByLabel(label)).toHaveValue(value);
    await expect(dialog.getByLabel(label)).not.toBeEditable();
  }
  const comment = dialog.getByRole("textbox", { name: "Comment" });
  await expect.soft(comment).toHaveJSProperty("type", "textarea");
  await test.step("§5.4: an empty comment is rejected with the server's message", async () => {
    await dialog.getByRole("button", { name: "Submit", exact: true }).click();
    const wish = "Tell us what is wrong with this item.";
    await expect.soft(comment).toHaveAccessibleDescription(wish);
  });
  await comment.fill("The serial number is filed off.");
  const body = await submittedBody(page);
  expect.soft(body).toMatchObject({
    name: buyer.name,
    email: buyer.email,
    comment: "The serial number is filed off.",
    reportProduct: { _id: laptop._id, product_name: laptop.product_name },
  });
  await expect(toastOf(page, "Reported Successfully.")).toBeVisible();
  await expect(dialog).toBeHidden();
  const reports = await admin.call(listReports, {});
  expect(reports).toContainEqual(
    expect.objectContaining({
      name: buyer.name,
      email: buyer.email,
      comment: "The serial number is filed off.",
      reportProduct: expect.objectContaining({ _id: laptop._id }),
    }),
  );

  await test.step("§8.5.2: a toast shows the server's message if the buyer has already reported the laptop", async () => {
    await report.click();
    await comment.fill("No charger.");
    await dialog.getByRole("button", { name: "Submit", exact: true }).click();
    const said = toastOf(page, /^You've already reported this laptop/);
    await expect(said).toBeVisible();
    await said.click({ trial: true });
    await expect(comment).toHaveValue("No charger.");
  });
}
