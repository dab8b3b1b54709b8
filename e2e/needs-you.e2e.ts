import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { answerComplaint, complain } from "#contract/complaints.ts";
import {
  type NeedsYouItem,
  type NeedsYouReason,
  needsYouReasons,
  readNeedsYou,
} from "#contract/needs-you.ts";
import { needsYouText } from "#contract/needs-you-texts.ts";
import { enqueue } from "#server/jobs/job-queue.ts";
import { listLaptop, receiveLaptop } from "./accounts.ts";
import { expectAccessible } from "./axe-and-keyboard.ts";
import { changeDatabase } from "./database.ts";
import { dashboardMenu, loadUntil, navigateOnClient, rowOf, test, toastOf } from "./fixtures.ts";
import { confirmAddresses } from "./mails.ts";

// The first submit lacks a reason and gets a 400.
test.use({ role: "admin", expectedErrors: [/status of 400 .*leftover/] });

test("Needs You lists money and deals awaiting an admin, and links to the page where the admin decides", async ({
  page,
  newSeller,
  buyer,
}) => {
  await confirmAddresses([newSeller, buyer]);
  const [unclaimed, disagreed] = [await listLaptop(newSeller), await listLaptop(newSeller)];
  const { booking: old } = await receiveLaptop(buyer, unclaimed);
  const { booking: complained } = await receiveLaptop(buyer, disagreed);
  const body = { bookingId: complained, reason: "not_working", words: "Dead keys." } as const;
  await buyer.call(complain, { body });
  const answer = { answer: "disagree", words: "It works." } as const;
  await newSeller.call(answerComplaint, { params: { id: complained }, body: answer });
  await changeDatabase(async (tx) => {
    const long = { handed_over_at: new Date(0), paid_at: new Date(0) };
    await tx.updateTable("settlements").set(long).where("booking_id", "=", old).execute();
    await enqueue(tx, "settleDeals", { payload: {} });
  });

  const row = rowOf(page, unclaimed.product_name);
  await loadUntil(
    () => page.goto("/dashboard/needsYou"),
    (patience) => expect(row).toContainText("waits for a seller who can't receive it", patience),
  );
  const entry = dashboardMenu(page).getByRole("link", { name: /^Needs You ?, \d+$/ });
  await expect(entry).toBeVisible();
  await expectAccessible(page);
  await navigateOnClient(page, "/dashboard/overview");
  const toDo = page.getByRole("region", { name: "To do" });
  await expect(
    toDo.getByRole("link", { name: /^\d+ complaints? to decide, the first by \w+ \d+$/ }),
  ).toHaveAttribute("href", "/dashboard/complaints");
  await toDo.getByRole("link", { name: /^\d+ things need you, the first by \w+ \d+$/ }).click();

  await expect(rowOf(page, disagreed.product_name)).toContainText("Buyer and seller don't agree");
  await rowOf(page, disagreed.product_name)
    .getByRole("link", { name: /^Decide/ })
    .click();
  await expect(page).toHaveURL(`/dashboard/complaint/${complained}`);
  await page.goBack();

  await row.getByRole("link", { name: /^Decide/ }).click();
  await page.getByRole("button", { name: "Refund $640 to the buyer" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund $640 to the buyer?" });
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(dialog.getByText("Say why the seller doesn't get it")).toBeVisible();
  await dialog.getByLabel("Reason").fill("You haven't connected a bank account.");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(toastOf(page, "It's on its way to the buyer.")).toBeVisible();
  await navigateOnClient(page, "/dashboard/needsYou");
  await expect(rowOf(page, disagreed.product_name)).toBeVisible();
  await expect(row).toHaveCount(0);
  await test.step("each item on the Needs You page states its problem and links to a dashboard page", () =>
    expectEachReason(page));
});

const links: Record<NeedsYouReason, RegExp> = {
  refund_failed: /^\/dashboard\/payments\?search=pi_refund_failed$/,
  refund_late: /^\/dashboard\/payments\?search=pi_refund_late$/,
  transfer_refused: /^\/dashboard\/deal\//,
  transferred_twice: /^\/dashboard\/deal\//,
  balance_too_small: /^\/dashboard\/deal\//,
  unclaimed: /^\/dashboard\/deal\//,
  came_back: /^\/dashboard\/deal\//,
  inquiry: /^\/dashboard\/payments\?search=pi_inquiry$/,
  dispute: /^\/dashboard\/deal\//,
  complaint: /^\/dashboard\/complaint\//,
  return_late: /^\/dashboard\/complaint\//,
  discount: /^\/dashboard\/invitations$/,
  difference: /^\/dashboard\/ledger$/,
};

async function expectEachReason(page: Page): Promise<void> {
  const items = needsYouReasons.map(
    (reason): NeedsYouItem => ({
      reason,
      bookingId: reason === "difference" ? null : randomUUID(),
      product_name: null,
      transactionId: `pi_${reason}`,
      amount: 100,
      since: new Date().toISOString(),
      deadline: null,
    }),
  );
  await page.route(`**/api${readNeedsYou.path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), items } });
  });
  await page.goto("/dashboard/needsYou");
  for (const { reason } of items) {
    const row = page
      .getByRole("row")
      .filter({ has: page.getByText(`pi_${reason}`, { exact: true }) });
    await expect(row).toContainText(needsYouText({ reason, amount: 100 }));
    await expect(row.getByRole("link")).toHaveAttribute("href", links[reason]);
  }
  await page.getByRole("link", { name: "See the ledger: pi_difference" }).click();
  await expect(page.getByRole("heading", { name: "Ledger", level: 1 })).toBeVisible();
}
