import { expect } from "@playwright/test";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop, type Member, payForBooking } from "./accounts.ts";
import { rowOf, signIn, test, toastOf } from "./fixtures.ts";

test.use({ expectedErrors: [/status of 409/] });

async function paidLaptop(seller: Member, buyer: Member) {
  const laptop = await listLaptop(seller);
  const booking = await bookLaptop(buyer, laptop);
  await payForBooking(buyer, booking);
  return { booking, name: laptop.product_name };
}

test("the seller enters the code that the buyer shows, and both see the sale completed", async ({
  page,
  newSeller,
  buyer,
}) => {
  const { name } = await paidLaptop(newSeller, buyer);
  await signIn(page, buyer);
  await page.goto("/dashboard");
  await rowOf(page, name).getByRole("link", { name: "Hand-over code" }).click();
  await expect(page.getByRole("img", { name: "QR code of your hand-over code" })).toBeVisible();
  const code = (await page.getByText(/^\d{3} \d{3}$/).textContent()) ?? "";

  await page.context().clearCookies();
  await signIn(page, newSeller);
  await page.goto("/dashboard/myProducts");
  await rowOf(page, name).getByRole("link", { name: "Hand over" }).click();
  const field = page.getByLabel("Hand-over code");
  await field.fill(code === "000 000" ? "000001" : "000000");
  await field.press("Enter");
  const tries = page.getByText("That isn't the buyer's current code. 4 tries are left.");
  await expect(tries).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill(code);
  await field.press("Enter");
  await expect(toastOf(page, "Handed over. The sale is complete.")).toBeVisible();
  await expect(page).toHaveURL("/dashboard/myProducts");
  await expect(page.getByText("Sold and handed over (1)")).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, buyer);
  await page.goto("/dashboard");
  await expect(rowOf(page, name)).toContainText("Handed over to you.");
  await expect(rowOf(page, name).getByRole("link", { name: "Hand-over code" })).toHaveCount(0);
});

test("the link in the QR code leads by the login to the form, with the code filled in", async ({
  page,
  newSeller,
  buyer,
}) => {
  const { booking } = await paidLaptop(newSeller, buyer);
  await page.goto(`${paths.handover(booking)}#123456`);
  await page.getByLabel("Email").fill(newSeller.email);
  await page.getByLabel("Password", { exact: true }).fill(newSeller.password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page.getByLabel("Hand-over code")).toHaveValue("123456");
  await page.getByRole("button", { name: "Confirm handover" }).click();
  await expect(page.getByText("The buyer hasn't asked for a code yet.")).toBeVisible();
});

test("a laptop that isn't paid for has no code", async ({ page, newSeller, buyer }) => {
  const booking = await bookLaptop(buyer, await listLaptop(newSeller));
  await signIn(page, buyer);
  await page.goto(paths.handover(booking));
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("You get a code once the laptop is paid for.");
});
