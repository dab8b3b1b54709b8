import { expect } from "@playwright/test";
import { confirmHandoverByCode, maxWrongHandoverCodes } from "#contract/handover.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop, payForBooking } from "./accounts.ts";
import { fillLogin, signIn, test } from "./fixtures.ts";

test.use({ expectedErrors: [/status of 409/] });

test("the link in the handover QR code leads the seller through Login to a form with the code filled in", async ({
  page,
  newSeller,
  buyer,
}) => {
  const booking = await bookLaptop(buyer, await listLaptop(newSeller));
  await payForBooking(buyer, booking);
  await page.goto(`${paths.handover(booking)}#123456`);
  await fillLogin(page, newSeller);
  await expect(page.getByLabel("Handover code")).toHaveValue("123456");
  await page.getByRole("button", { name: "Confirm handover" }).click();
  await expect(page.getByText("The buyer hasn't asked for a code yet.")).toBeVisible();
});

test("an unpaid laptop has no handover code; after five wrong codes, the buyer can show a new code without a reload", async ({
  page,
  newSeller,
  buyer,
}) => {
  const booking = await bookLaptop(buyer, await listLaptop(newSeller));
  await signIn(page, buyer);
  await page.goto(paths.handover(booking));
  await expect(page.getByText("You get a code once the laptop is paid for.")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Pay for / })).toBeVisible();
  await payForBooking(buyer, booking);
  await page.reload();
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
