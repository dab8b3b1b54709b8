/// <reference lib="dom" />
import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { listPayments } from "#contract/payments.ts";
import { refundBooking } from "#contract/refunds.ts";
import { buyLaptop, cardsOf, listLaptop } from "./accounts.ts";
import { expectAccessible } from "./axe-and-keyboard.ts";
import { changeDatabase } from "./database.ts";
import {
  columnsOf,
  loadUntil,
  navigateOnClient,
  rowOf,
  signIn,
  signInAs,
  test,
  toastOf,
} from "./fixtures.ts";

test.use({ role: "admin" });

test("§10.21: an admin finds and refunds a payment, and the buyer sees the amount and the date", async ({
  page,
  seller,
  buyer,
}) => {
  const laptop = await listLaptop(seller);
  const { transaction } = await buyLaptop(buyer, laptop);
  await page.goto("/dashboard/payments");
  const columns = ["When", "Buyer", "Laptop", "Price", "Status", "Action"];
  await expect(columnsOf(page)).toHaveText(columns);

  await page.getByRole("main").getByLabel("Search").fill(buyer.email.slice(0, 12));
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  const row = rowOf(page, transaction);
  await expect(row).toContainText(`${buyer.name}${buyer.email}`);
  await expect(row).toContainText("$640");
  await expect(row).toContainText("Paid");

  await row.getByRole("button", { name: `Refund ${laptop.product_name}` }).click();
  const dialog = page.getByRole("dialog", { name: "Refund this payment?" });
  await expect(dialog).toContainText(`${buyer.name} gets $640 back for ${laptop.product_name}`);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toContainText("Paid");
  await row.getByRole("button", { name: "Refund" }).click();
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(toastOf(page, `$640 is being refunded to ${buyer.name}`)).toBeVisible();
  await expect(row).toContainText("Refunded");
  await expect(row.getByRole("button", { name: "Refund" })).toHaveCount(0);
  await test.step("the deal's page says that the purchase was canceled, and shows no handover", async () => {
    await row.getByRole("link", { name: transaction }).click();
    await expect(page.getByText("canceled the purchase")).toBeVisible();
    await expect(page.getByText("Handed over")).toHaveCount(0);
    await page.goBack();
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => linesOf(row.getByText(buyer.email))).toBe(1);
  await expect.poll(() => linesOf(row.getByText(/^\d+:\d\d [AP]M$/).last())).toBe(1);

  await page.getByRole("main").getByLabel("Search").fill("pi_nobody");
  await page.getByRole("main").getByLabel("Search").press("Enter");
  await expect(page.getByText("No payments match “pi_nobody”.")).toBeVisible();
  await page.goBack();
  await expect(row).toBeVisible();

  await signInAs(page, buyer);
  await page.goto("/dashboard");
  const order = rowOf(page, laptop.product_name);
  await expect(order).toContainText("The purchase was canceled.");
  await expect(order).toContainText(/\$640 was refunded to your card on [A-Z][a-z]{2} \d+, \d{4}/);
});

test("an admin sees a dispute and sends evidence, and the seller sees the dispute until the bank decides", async ({
  page,
  otherPage: theirs,
  newSeller,
  buyer,
}) => {
  const laptop = await listLaptop(newSeller);
  const card = "pm_card_createDisputeProductNotReceived";
  const { transaction } = await buyLaptop(buyer, laptop, card);
  const row = rowOf(page, transaction);
  await loadUntil(
    () => page.goto(`/dashboard/payments?search=${transaction}`),
    (patience) => expect(row).toContainText("Disputed", patience),
  );
  await expect(row).toContainText(
    /Reason: the buyer says they didn't get the laptop\. Answer the bank by [A-Z][a-z]{2} \d/,
  );
  await expect(row.getByRole("button")).toHaveCount(0);
  await row.getByRole("link", { name: "Send evidence" }).click();
  await expect(page.getByText(/^Send evidence by [A-Z][a-z]{2} \d/)).toBeVisible();
  await page.getByRole("button", { name: "Write the evidence" }).press("Enter");
  await expect(page.getByRole("region", { name: "Dispute over $640" })).toBeFocused();
  await expect(page.getByLabel("Evidence", { exact: true })).toHaveValue(/a scratch on the lid/);
  const withPhotos = page.getByRole("checkbox", { name: "Send these photos with the text" });
  await expect(withPhotos).toBeChecked();
  await expectAccessible(page);

  await signIn(theirs, newSeller);
  await theirs.goto("/dashboard/myProducts");
  const product = rowOf(theirs, laptop.product_name);
  await expect(product).toContainText(
    "The buyer's bank questioned this payment and hasn't decided yet.",
  );
  await expect(product).toContainText("Please keep the laptop.");
  // With this text, the sandbox and Stripe's test mode decide the dispute in our favor.
  await page.getByLabel("Evidence", { exact: true }).fill("winning_evidence");
  await page.getByRole("button", { name: "Send to the bank" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await expect(toastOf(page, "The evidence was sent to the bank.")).toBeVisible();
  await loadUntil(
    () => page.reload(),
    (patience) =>
      expect(page.getByText("The bank doesn't take the money back.")).toBeVisible(patience),
  );
  await loadUntil(
    () => theirs.reload(),
    (patience) => expect(product).toContainText("decided that it stands", patience),
  );
  await expect(product).toContainText("Meet the buyer and hand it over.");
});

async function refundInquiry(page: Page, row: Locator): Promise<void> {
  const asks =
    /The buyer's bank asks about this payment\. Refund it to avoid a dispute, or answer it at the card provider by [A-Z][a-z]{2} \d/;
  await expect(row).toContainText(asks);
  await row.getByRole("link", { name: "See the deal" }).click();
  await expect(page.getByText("Handed over")).toBeVisible();
  const inquiry = page.getByRole("region", { name: "Inquiry about $640" });
  await expect(inquiry).toContainText(asks);
  await expect(inquiry.getByRole("button")).toHaveCount(0);
  await page.goBack();
  await row.getByRole("button", { name: "Refund" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Refund" }).click();
  await expect(row).toContainText("Refunded");
  await loadUntil(
    () => page.reload(),
    (patience) => expect(row).not.toContainText("asks about", patience),
  );
}

test("the admin and the buyer see whether the bank is still deciding a dispute, or how much money it gave back", async ({
  page,
  seller,
  buyer,
}) => {
  const cards = await cardsOf(buyer);
  const pay = async (card = "pm_card_createDispute") => {
    const laptop = await listLaptop(seller);
    const { transaction } = await buyLaptop(buyer, laptop, card);
    return { name: laptop.product_name, transaction };
  };
  const [undecided, lost] = [await pay(), await pay()];
  const partlyLost = await pay("pm_card_createPartialDispute");
  const questioned = await pay("pm_card_createDisputeInquiry");
  await cards.answerDispute(undecided.transaction, "undecided_evidence");
  for (const { transaction } of [lost, partlyLost])
    await cards.answerDispute(transaction, "losing_evidence");
  const showsText = (url: string, text: Record<string, string>) =>
    loadUntil(
      () => page.goto(url),
      async (patience) => {
        for (const [row, shown] of Object.entries(text))
          await expect(rowOf(page, row)).toContainText(shown, patience);
      },
    );
  const payments = `/dashboard/payments?search=${buyer.email}`;
  const forAdmin = {
    [undecided.transaction]: "The bank is deciding.",
    [lost.transaction]: "The bank gave $640 back to the buyer",
    [partlyLost.transaction]: "The bank gave $160 back to the buyer",
    [questioned.transaction]: "The buyer's bank asks about this payment.",
  };
  await showsText(payments, forAdmin);
  await test.step("an admin sees an inquiry from the buyer's bank, and refunds the payment to avoid a dispute", () =>
    refundInquiry(page, rowOf(page, questioned.transaction)));
  const row = rowOf(page, partlyLost.transaction);
  await row.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund this payment?" });
  await expect(dialog).toContainText(`Send ${buyer.name} the other $480 another way`);
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(row).toContainText(`Ask ${buyer.name} how else you can send $480, and send it.`);
  await expect(row.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await row.getByRole("button", { name: "Sent another way" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, it's sent" }).click();
  await expect(row).toContainText("Refunded");
  // Simulates a refund that the card provider rejected because of the dispute.
  await changeDatabase((tx) =>
    tx
      .updateTable("payments")
      .set({ goes_back: true, owed_since: new Date(), given_up_at: new Date() })
      .where("transaction_id", "=", undecided.transaction)
      .execute(),
  );
  await signInAs(page, buyer);
  const forBuyer = {
    [undecided.name]: "Your bank is deciding about this payment.",
    [lost.name]: "Your bank gave you $640 back.",
    [partlyLost.name]: "Your bank gave you $160 back. We sent you $480 on",
  };
  await showsText("/dashboard", forBuyer);
  // Simulates a bank that reversed its decision about the partial dispute.
  await changeDatabase(async (tx) => {
    const payment = await tx
      .selectFrom("payments")
      .select("id")
      .where("transaction_id", "=", partlyLost.transaction)
      .executeTakeFirstOrThrow();
    await tx
      .updateTable("disputes")
      .set({ state: "won" })
      .where("payment_id", "=", payment.id)
      .execute();
    await tx
      .updateTable("payments")
      .set({ refunded_at: null, owed_since: new Date(), given_up_at: new Date() })
      .where("id", "=", payment.id)
      .execute();
  });
  const owed = { [partlyLost.name]: "We sent you $480 and still owe you $160." };
  await showsText("/dashboard", owed);
});

test("after the shop gives up on a refund, an admin retries it, then pays by other means, and the buyer sees both outcomes", async ({
  page,
  otherPage: theirs,
  seller,
  buyer,
  demoMembers: { admin },
}) => {
  const laptop = await listLaptop(seller);
  const { booking, transaction } = await buyLaptop(buyer, laptop, "pm_card_refundFail");
  await admin.call(refundBooking, { body: { bookingId: booking } });
  const query = { search: transaction };
  const failures = async () => (await admin.call(listPayments, { query }))[0]?.failedRefunds;
  await expect.poll(failures).toBe(1);
  // Simulates two more failures, after which our server gives up.
  await changeDatabase(async (tx) => {
    const { id } = await tx
      .selectFrom("payments")
      .select("id")
      .where("transaction_id", "=", transaction)
      .executeTakeFirstOrThrow();
    const at = new Date();
    const failed = { kind: "refund", state: "failed", cents: 64_000, payment_id: id } as const;
    for (const attempt of [2, 3])
      await tx
        .insertInto("money_moves")
        .values({
          ...failed,
          id: randomUUID(),
          booking_id: booking,
          attempt,
          provider_id: `re_${randomUUID()}`,
          intended_at: at,
          last_called_at: at,
        })
        .execute();
    const over = { given_up_at: at, retry_at: null };
    await tx.updateTable("payments").set(over).where("id", "=", id).execute();
  });

  await page.goto(`/dashboard/payments?search=${transaction}`);
  const row = rowOf(page, transaction);
  await expect(row).toContainText("Refund failed");
  await expect(row).toContainText(`Ask ${buyer.name} how else you can send $640`);
  await row.getByRole("button", { name: `Try again to refund ${laptop.product_name}` }).click();
  await expect(toastOf(page, `$640 is being refunded to ${buyer.name} once more`)).toBeVisible();
  await expect.poll(failures).toBe(4);
  await signIn(theirs, buyer);
  await theirs.goto("/dashboard");
  const order = rowOf(theirs, laptop.product_name);
  await expect(order).toContainText("We couldn't refund $640 to your card.");

  await navigateOnClient(page, "/dashboard/auditLog?object=payment");
  const entries = rowOf(page, laptop.product_name);
  await expect(entries.filter({ hasText: "The refund couldn't be made" })).toHaveCount(1);
  await navigateOnClient(page, `/dashboard/payments?search=${transaction}`);
  await row.getByRole("button", { name: "Sent another way" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, it's sent" }).click();
  await expect(row).toContainText("Refunded");
  await theirs.reload();
  await expect(order).toContainText("because your card couldn't be refunded.");
});

test("before an admin marks a returned full refund as sent another way, the dialog promises the seller nothing", async ({
  page,
  seller,
  buyer,
  demoMembers: { admin },
}) => {
  const laptop = await listLaptop(seller);
  const { transaction } = await buyLaptop(buyer, laptop);
  const [payment] = await admin.call(listPayments, { query: { search: transaction } });
  const partRefund = { refunded: 0, owed: 640, failed: true };
  const returned = { bookingState: "completed", partRefund, unsentPart: 640, unsent: 640 };
  await page.route(`**/api${listPayments.path}?*`, (route) =>
    route.fulfill({ json: [{ ...payment, ...returned }] }),
  );
  await page.goto(`/dashboard/payments?search=${transaction}`);
  await rowOf(page, transaction).getByRole("button", { name: "Sent another way" }).click();
  await expect(page.getByRole("dialog")).toContainText(
    `${buyer.name} got $640 another way. This can't be undone.`,
  );
});

function linesOf(element: Locator): Promise<number> {
  return element.evaluate((node) => {
    const text = document.createRange();
    text.selectNodeContents(node);
    return new Set([...text.getClientRects()].map(({ top }) => top)).size;
  });
}
