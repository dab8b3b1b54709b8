import { expect, type Page } from "@playwright/test";
import { complain } from "#contract/complaints.ts";
import { confirmHandover } from "#contract/handover.ts";
import { connectPayoutAccount, refreshPayoutAccount } from "#contract/payouts.ts";
import { enqueue } from "#server/jobs/job-queue.ts";
import { photo } from "#server/testing/marketplace.ts";
import { bookLaptop, cardsOf, listLaptop, payForBooking, receiveLaptop } from "./accounts.ts";
import { expectAccessible } from "./axe-and-keyboard.ts";
import { changeDatabase } from "./database.ts";
import {
  dashboardMenu,
  loadUntil,
  navigateOnClient,
  openActions,
  rowOf,
  signIn,
  signInAs,
  test,
  toastOf,
} from "./fixtures.ts";
import { confirmAddresses, openMailbox, readInbox } from "./mails.ts";
import { delayResponses } from "./network.ts";

// The test aborts a photo upload.
test.use({ expectedErrors: [/net::ERR_FAILED .*privatePhotos/] });

const menuEntry = (page: Page, name: string) => dashboardMenu(page).getByRole("link", { name });

async function waitForMoney(page: Page, name: string, text: RegExp): Promise<void> {
  const settleAndReload = async () => {
    await changeDatabase((tx) => enqueue(tx, "settleDeals", { payload: {} }));
    await page.reload();
  };
  await loadUntil(settleAndReload, (patience) =>
    expect(rowOf(page, name)).toContainText(text, patience),
  );
}

test("an admin settles a complaint with a partial refund, and the seller gets the rest", async ({
  page,
  newSeller,
  buyer,
  demoMembers: { admin },
}) => {
  await confirmAddresses([buyer, newSeller]);
  const mails = openMailbox({ buyer, seller: newSeller });
  const laptop = await listLaptop(newSeller, { facts: { ram_gb: 16 } });
  const { url } = await newSeller.call(connectPayoutAccount, {});
  await (await cardsOf(buyer)).onboard(url);
  await newSeller.call(refreshPayoutAccount, {});
  const booking = await bookLaptop(buyer, laptop);
  // Checked before paying, because these emails are sent only while the hold is unpaid.
  await mails.expectNew({
    buyer: ["Your hold on an Apple laptop"],
    seller: ["Your Apple laptop is on hold"],
  });
  // The demo data must not cause emails about its deals.
  const mailed = (await readInbox(buyer)).filter(({ text }) => text.includes("\n\nListing: “"));
  const receivers = mailed.flatMap(({ to }) => to);
  expect(receivers).toEqual(expect.arrayContaining([buyer.email, newSeller.email]));
  expect(receivers.filter((to) => to.endsWith("@demo.test"))).toEqual([]);
  await payForBooking(buyer, booking);
  await mails.expectNew({
    buyer: ["Your receipt for an Apple laptop"],
    seller: ["You sold your Apple laptop"],
  });
  await signIn(page, buyer);
  await page.goto(`/dashboard/complaint/${booking}`);
  await expect(page.getByRole("heading", { name: "Not handed over yet" })).toBeVisible();
  await expect(page.getByLabel("Describe it")).toHaveCount(0);
  await expect(menuEntry(page, "My Orders")).toHaveAttribute("aria-current", "true");
  await buyer.call(confirmHandover, { body: { id: booking } });
  await mails.expectNew({ seller: ["The buyer has your Apple laptop"] });

  await page.reload();
  await page.getByLabel("What is wrong?").selectOption("not_working");
  await page.getByLabel("Describe it").fill("The keyboard has dead keys.");
  const file = { name: "keys.jpg", mimeType: "image/jpeg", buffer: await photo() };
  await page.route("**/api/privatePhotos", (route) => route.abort(), { times: 1 });
  await page.getByLabel("Add photos").setInputFiles(file);
  const tryAgain = page.getByRole("button", { name: "Try again" });
  await expect(tryAgain).toBeVisible();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(toastOf(page, /^A photo wasn.t uploaded/)).toBeVisible();
  await tryAgain.click();
  await expect(page.getByText("photo 1 is uploaded.")).toBeAttached();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(toastOf(page, /^Sent to the seller\./)).toBeVisible();
  await expect(page.getByText("The seller hasn't answered yet.")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await mails.expectNew({
    buyer: ["We have your complaint about an Apple laptop"],
    seller: ["The buyer says something is wrong with your Apple laptop"],
  });
  await navigateOnClient(page, "/dashboard");
  const row = rowOf(page, laptop.product_name);
  await openActions(row);
  await expect(page.getByRole("link", { name: "Write a review" })).toBeVisible();
  await page.keyboard.press("Escape");
  await row.getByRole("link", { name: "See complaint" }).click();
  await expect(page).toHaveURL(`/dashboard/complaint/${booking}`);

  await signInAs(page, admin);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/dashboard/complaint/${booking}`);
  await expect(menuEntry(page, "Complaints")).toHaveAttribute("aria-current", "true");
  await expect(menuEntry(page, "Complaints")).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("The listing as it was booked").first()).toBeVisible();
  await expect(page.getByText("16 GB", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /^Enlarge Photo 1 of 1/ }).click();
  const large = page.getByRole("dialog").getByRole("img");
  await expect.poll(() => large.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(800);
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("a scratch on the lid").first()).toBeVisible();
  await expect(page.getByText("the buyer confirmed it")).toBeVisible();
  await page.getByRole("button", { name: "Read messages" }).click();
  await expect(page.getByText("They haven't written to each other.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Refund to the buyer ($)").fill("100");
  await page.getByLabel("Say why").fill("Two keys are dead.");
  await page.getByRole("button", { name: "Decide" }).click();
  const dialog = page.getByRole("dialog", { name: "Decide this complaint?" });
  await expect(dialog).toContainText(
    `${buyer.name} gets $100 back; ${newSeller.name} is paid $540. This can't be undone.`,
  );
  await dialog.getByRole("button", { name: "Decide" }).click();
  await expect(
    page.getByText("The buyer gets $100 back, and the seller gets the rest."),
  ).toBeVisible();
  await mails.expectNew({
    buyer: ["You get $100 back"],
    seller: ["The buyer of your Apple laptop gets $100 back"],
  });

  await signInAs(page, newSeller);
  await page.goto("/dashboard/payouts");
  await waitForMoney(page, laptop.product_name, /Sent on [A-Z][a-z]{2} \d+\./);
  await expect(row).toContainText("$540");
  await expect(row).toContainText("$100 refunded.");
  await mails.expectNew({ seller: ["Your $540 is on its way"] });
  await navigateOnClient(page, "/dashboard/myProducts");
  await expect(page.getByRole("heading", { level: 1, name: "My Products" })).toBeVisible();
  await expect(row).toContainText("$100 refunded.");
  await signInAs(page, buyer);
  await page.goto("/dashboard");
  await expect(row).toContainText("$100 refunded.");
  await openActions(row);
  await page.getByRole("link", { name: `Receipt for ${laptop.product_name}` }).click();
  await expect(page.getByRole("region", { name: "Receipt" })).toContainText("$100 refunded.");
  await signInAs(page, admin);
  await page.goto(`/dashboard/payments?search=${encodeURIComponent(buyer.email)}`);
  await expect(row).toContainText("$100 refunded.");
});

test("a seller's offer needs an amount, can't be edited while it is being sent, and once it is sent, the form is empty and says that another answer replaces it", async ({
  page,
  newSeller,
  buyer,
}) => {
  await confirmAddresses([buyer, newSeller]);
  const { booking } = await receiveLaptop(buyer, await listLaptop(newSeller));
  const body = { bookingId: booking, reason: "not_working", words: "Dead keys." } as const;
  await buyer.call(complain, { body });
  await signIn(page, newSeller);
  await page.goto(`/dashboard/complaint/${booking}`);
  const [amount, why] = [page.getByLabel("How much? ($)"), page.getByLabel("Say why")];
  const sendAnswer = page.getByRole("button", { name: "Send answer" });
  await why.fill("For the keyboard.");
  await sendAnswer.click();
  await expect(amount).toHaveAccessibleDescription("Offer is required.");
  await amount.fill("50");
  await expect(page.getByText("This replaces your offer")).toHaveCount(0);
  const release = await delayResponses(page, "**/api/complaints/*/answer");
  await sendAnswer.click();
  for (const field of [amount, why]) await expect(field).not.toBeEditable();
  for (const choice of ["What do you suggest?", "Add photos"])
    await expect(page.getByLabel(choice)).toBeDisabled();
  release();
  await expect(page.getByText("This replaces your offer of $50.")).toBeVisible();
  await expect(amount).toHaveValue("");
  await expect(why).toHaveValue("");
  await amount.fill("60");
  await why.fill("For the keyboard and the lid.");
  await sendAnswer.click();
  await expect(page.getByText("This replaces your offer of $60.")).toBeVisible();
});
