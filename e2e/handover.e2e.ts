import { expect } from "@playwright/test";
import { complain } from "#contract/complaints.ts";
import { confirmHandoverByCode, maxWrongHandoverCodes } from "#contract/handover.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop, payForBooking, receiveLaptop } from "./accounts.ts";
import { expectAccessible } from "./axe-and-keyboard.ts";
import { fillLogin, openActions, rowOf, signIn, signInAs, test, toastOf } from "./fixtures.ts";
import { confirmAddresses } from "./mails.ts";
import { delayResponses } from "./network.ts";

test.describe("the handover", () => {
  test.use({ expectedErrors: [/status of 409/] });

  test("only a paid laptop has a handover code, its QR code fills in the seller's form after Login, and five wrong codes require a new one", async ({
    page,
    otherPage: theirs,
    newSeller,
    buyer,
  }) => {
    const laptop = await listLaptop(newSeller);
    const booking = await bookLaptop(buyer, laptop);
    await signIn(page, buyer);
    await page.goto(paths.handover(booking));
    await expect(page.getByText("You get a code once the laptop is paid for.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Place and time" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Pay now", exact: true })).toBeVisible();
    // Otherwise, this page would request a code as soon as the laptop is paid for.
    await page.goto("about:blank");
    await payForBooking(buyer, booking);
    await theirs.goto(`${paths.handover(booking)}#123456`);
    await fillLogin(theirs, newSeller);
    await expect(theirs.getByLabel("Handover code")).toHaveValue("123456");
    await theirs.getByRole("button", { name: "Confirm handover" }).click();
    await expect(theirs.getByText("The buyer hasn't asked for a code yet.")).toBeVisible();

    const openStream = await delayResponses(page, "**/api/messageEvents*");
    await page.goto("/dashboard");
    const order = rowOf(page, laptop.product_name);
    await openActions(order);
    await order.getByRole("link", { name: "Handover code" }).click();
    await expect(page.getByRole("main")).toContainText(/Show a new code.*Place and time/s);
    const shown = page.getByText(/^\d{3} \d{3}$/);
    const code = ((await shown.textContent()) ?? "").replace(" ", "");
    const wrong = code === "000000" ? "000001" : "000000";
    for (let tries = 0; tries < maxWrongHandoverCodes; tries += 1)
      await expect(
        newSeller.call(confirmHandoverByCode, { body: { id: booking, code: wrong } }),
      ).rejects.toThrow();
    // A page also learns of changes from before its event stream opened.
    openStream();
    await expect(page.getByText("The seller has entered five wrong codes.")).toBeVisible();
    await page.getByRole("button", { name: "Show a new code" }).click();
    await expect(shown).toBeVisible();
    await newSeller.call(confirmHandoverByCode, {
      body: { id: booking, code: ((await shown.textContent()) ?? "").replace(" ", "") },
    });
    await expect(page.getByRole("heading", { name: "Handed over", exact: true })).toBeVisible();
  });
});

test("a buyer who wins a complaint is refunded when the seller enters the return code", async ({
  page,
  newSeller,
  buyer,
  demoMembers: { admin },
}) => {
  await confirmAddresses([buyer, newSeller]);
  const laptop = await listLaptop(newSeller);
  const name = laptop.product_name;
  const { booking } = await receiveLaptop(buyer, laptop);
  const body = { bookingId: booking, reason: "not_working", words: "Dead keys." } as const;
  await buyer.call(complain, { body });

  await signInAs(page, admin);
  await page.goto(`/dashboard/complaint/${booking}`);
  await page.getByLabel("Refund to the buyer ($)").fill("640");
  await expect(page.getByLabel("If all of it goes back")).toHaveValue("returned");
  await page.getByLabel("Say why").fill("The keys are dead.");
  await page.getByRole("button", { name: "Decide" }).click();
  const dialog = page.getByRole("dialog", { name: "Decide this complaint?" });
  await expect(dialog).toContainText(
    `${buyer.name} gets a full refund of $640 once ${newSeller.name} has the laptop.`,
  );
  await dialog.getByRole("button", { name: "Decide" }).click();
  const waits = /^The buyer gets all of the \$640 back once the seller has the laptop\./;
  await expect(page.getByText(waits)).toBeVisible();
  await expectAccessible(page);

  await signIn(page, buyer);
  await page.goto("/dashboard");
  await expect(rowOf(page, name)).toContainText("Give the laptop back by");
  await page.getByRole("link", { name: `Return code for ${name}`, exact: true }).click();
  await expect(page.getByRole("heading", { name: "Return" })).toBeVisible();
  const code = (await page.getByText(/^\d{3} \d{3}$/).textContent()) ?? "";
  await expectAccessible(page);

  await signInAs(page, newSeller);
  await page.goto("/dashboard/myProducts");
  await page.getByRole("link", { name: "enter their return code" }).click();
  await page.getByLabel("Return code", { exact: true }).fill(code);
  await expectAccessible(page);
  await page.getByLabel("Return code", { exact: true }).press("Enter");
  await expect(toastOf(page, "You have it back. The buyer is refunded.")).toBeVisible();

  await signInAs(page, buyer);
  await page.goto("/dashboard");
  await expect(rowOf(page, name)).toContainText("$640");
  await expect(rowOf(page, name)).toContainText(/on its way back|was refunded/);
});
