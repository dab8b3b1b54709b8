import { expect } from "@playwright/test";
import { confirmHandoverByCode, maxWrongHandoverCodes } from "#contract/handover.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop, payForBooking } from "./accounts.ts";
import { fillLogin, signIn, test } from "./fixtures.ts";

test.use({ expectedErrors: [/status of 409/] });

test("an unpaid laptop has no handover code; the QR code's link leads the seller through Login to a filled-in form; after five wrong codes, the buyer can show a new code without a reload", async ({
  page,
  otherPage: theirs,
  newSeller,
  buyer,
}) => {
  const booking = await bookLaptop(buyer, await listLaptop(newSeller));
  await signIn(page, buyer);
  await page.goto(paths.handover(booking));
  await expect(page.getByText("You get a code once the laptop is paid for.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Place and time" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Pay for / })).toBeVisible();
  // The open page would show the code as soon as the laptop is paid for.
  await page.goto("about:blank");
  await payForBooking(buyer, booking);
  await theirs.goto(`${paths.handover(booking)}#123456`);
  await fillLogin(theirs, newSeller);
  await expect(theirs.getByLabel("Handover code")).toHaveValue("123456");
  await theirs.getByRole("button", { name: "Confirm handover" }).click();
  await expect(theirs.getByText("The buyer hasn't asked for a code yet.")).toBeVisible();

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
