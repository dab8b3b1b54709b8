import { expect } from "@playwright/test";
import { confirmHandoverByCode, maxWrongHandoverCodes } from "#contract/handover.ts";
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
  browser,
  newSeller,
  buyer,
}) => {
  const { booking, name } = await paidLaptop(newSeller, buyer);
  await signIn(page, buyer);
  await page.goto("/dashboard");
  await rowOf(page, name).getByRole("link", { name: "Handover code" }).click();
  await expect(page.getByRole("img", { name: "QR code of your handover code" })).toBeVisible();
  const code = (await page.getByText(/^\d{3} \d{3}$/).textContent()) ?? "";
  await page.reload();
  await expect(page.getByText(code, { exact: true })).toBeVisible();

  const context = await browser.newContext();
  const theirs = await context.newPage();
  await signIn(theirs, newSeller);
  await theirs.goto("/dashboard/myProducts");
  await rowOf(theirs, name).getByRole("link", { name: "Hand over" }).click();
  const field = theirs.getByLabel("Handover code");
  await field.fill(code === "000 000" ? "000001" : "000000");
  await field.press("Enter");
  const tries = theirs.getByText("That isn't the buyer's current code. 4 tries are left.");
  await expect(tries).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill(code);
  await field.press("Enter");
  await expect(
    toastOf(theirs, "Handed over. Payouts shows when the money is on its way."),
  ).toBeVisible();
  await expect(theirs).toHaveURL("/dashboard/myProducts");
  await expect(theirs.getByText("Sold and handed over (1)")).toBeVisible();
  await theirs.goto(paths.handover(booking));
  const done = { name: "Handed over", exact: true };
  await expect(theirs.getByRole("heading", done)).toBeVisible();
  await expect(theirs.getByLabel("Handover code")).toHaveCount(0);
  await context.close();

  await expect(page.getByRole("heading", done)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", done)).toBeVisible();
  await page.goto("/dashboard");
  await expect(rowOf(page, name)).toContainText("Handed over to you.");
  await expect(rowOf(page, name).getByRole("link", { name: "Handover code" })).toHaveCount(0);
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
  await expect(page.getByLabel("Handover code")).toHaveValue("123456");
  await page.getByRole("button", { name: "Confirm handover" }).click();
  await expect(page.getByText("The buyer hasn't asked for a code yet.")).toBeVisible();
});

test("a laptop that isn't paid for has no code", async ({ page, newSeller, buyer }) => {
  const booking = await bookLaptop(buyer, await listLaptop(newSeller));
  await signIn(page, buyer);
  await page.goto(paths.handover(booking));
  await expect(page.getByText("You get a code once the laptop is paid for.")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Pay for / })).toBeVisible();
});

test("five wrong codes ask the buyer for a new one, without a reload", async ({
  page,
  newSeller,
  buyer,
}) => {
  const { booking } = await paidLaptop(newSeller, buyer);
  await signIn(page, buyer);
  await page.goto(paths.handover(booking));
  const shown = page.getByText(/^\d{3} \d{3}$/);
  const code = ((await shown.textContent()) ?? "").replace(" ", "");
  const wrong = code === "000000" ? "000001" : "000000";
  for (let tries = 0; tries < maxWrongHandoverCodes; tries += 1)
    await expect(
      newSeller.call(confirmHandoverByCode, { body: { id: booking, code: wrong } }),
    ).rejects.toThrow();
  await expect(page.getByText("The seller has entered five wrong codes.")).toBeVisible();
  await page.getByRole("button", { name: "Show a new code" }).click();
  await expect(shown).toBeVisible();
  await newSeller.call(confirmHandoverByCode, {
    body: { id: booking, code: ((await shown.textContent()) ?? "").replace(" ", "") },
  });
  await expect(page.getByRole("heading", { name: "Handed over", exact: true })).toBeVisible();
});
