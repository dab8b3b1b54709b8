import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { sql } from "kysely";
import { answerComplaint, complain } from "#contract/complaints.ts";
import { confirmHandover } from "#contract/handover.ts";
import type { Tx } from "#server/db/database.ts";
import { enqueue } from "#server/db/job-queue.ts";
import type { DealJournals } from "#server/features/ledger/deal-journals.ts";
import { changeDeal } from "#server/features/ledger/post-journal.ts";
import { bookLaptop, type Laptop, listLaptop, type Member, payForBooking } from "./accounts.ts";
import { axeViolations } from "./axe.ts";
import { changeDatabase } from "./database.ts";
import { rowOf, test, toastOf } from "./fixtures.ts";
import { confirmAddresses } from "./mails.ts";

// The first submit lacks a reason and gets a 400.
test.use({ role: "admin", expectedErrors: [/status of 400 .*leftover/] });

/** Returns the booking's ID. */
async function handOver(buyer: Member, laptop: Laptop): Promise<string> {
  const booking = await bookLaptop(buyer, laptop);
  await payForBooking(buyer, booking);
  await buyer.call(confirmHandover, { body: { id: booking } });
  return booking;
}

test("Needs you lists money and deals awaiting an admin, and links to the page where the admin decides", async ({
  page,
  newSeller,
  buyer,
}) => {
  await confirmAddresses([newSeller, buyer]);
  const [unclaimed, disagreed] = [await listLaptop(newSeller), await listLaptop(newSeller)];
  const old = await handOver(buyer, unclaimed);
  const complained = await handOver(buyer, disagreed);
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
  await expect(async () => {
    await page.goto("/dashboard/needsYou");
    await expect(row).toContainText("waits for a seller who can't receive it", { timeout: 2_000 });
  }).toPass();
  const menu = page.getByRole("navigation", { name: "Dashboard" });
  await expect(menu.getByRole("link", { name: /^Needs you ?, \d+$/ })).toBeVisible();
  const violations = await axeViolations(page);
  expect(violations).toEqual({});
  await page.goto("/dashboard/overview");
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
  await page.goto("/dashboard/needsYou");
  await expect(rowOf(page, disagreed.product_name)).toBeVisible();
  await expect(row).toHaveCount(0);
});

/** `bring` writes the rows that cause the item. */
const causes: { sentence: string; bring: (tx: Tx, booking: string) => Promise<unknown> }[] = [
  {
    sentence: "The buyer's card didn't take a refund of $100.",
    bring: (tx, booking) => oweBuyer(tx, booking, "given_up_at"),
  },
  {
    sentence: "A refund of $100 has been due for more than an hour.",
    bring: (tx, booking) => oweBuyer(tx, booking, "retry_at"),
  },
  {
    sentence: "The card provider didn't send the seller their $640.",
    bring: (tx, booking) => refuseTransfer(tx, booking, "other"),
  },
  {
    sentence: "Your balance at the card provider is too small to send the seller $640.",
    bring: (tx, booking) => refuseTransfer(tx, booking, "balance_insufficient"),
  },
  {
    sentence: "The card provider sent the seller their money twice, and they still owe $640.",
    bring: async (tx, booking) => {
      const second = `tr_${randomUUID()}`;
      await close(tx, booking, (journals) => journals.transfer({ id: second, cents: 64_000 }));
      await sql`insert into money_moves (id, booking_id, kind, attempt, round, cents, state, provider_id, intended_at, last_called_at, made_at)
        values (gen_random_uuid(), ${booking}, 'transfer', 2, -2, 64000, 'made', ${second}, now(), now(), now())`.execute(
        tx,
      );
    },
  },
  {
    sentence: "$100 came back after this sale was settled.",
    bring: (tx, booking) =>
      close(tx, booking, (journals) =>
        journals.reverseTransfer({ id: `trr_${booking}`, cents: 10_000 }),
      ),
  },
  {
    sentence: "The buyer's bank has taken back $640.",
    bring: (tx, booking) =>
      sql`insert into disputes (id, payment_id, state, amount_cents, reason, respond_by, opened_at)
        select 'du_' || id, id, 'open', 64000, 'fraudulent', now() + interval '7 days', now()
        from payments where booking_id = ${booking}`.execute(tx),
  },
  {
    sentence: "but the seller hasn't confirmed the return.",
    bring: (tx, booking) =>
      sql`insert into complaints (booking_id, reason, words, opened_at, decided_at, refund_cents, return_by)
        values (${booking}, 'other', 'Dead keys.', now(), now(), 64000, now() - interval '1 day')`.execute(
        tx,
      ),
  },
  {
    sentence: "until you've checked the buyer's invitation.",
    bring: async (tx, booking) => {
      await release(tx, booking);
      await sql`insert into invitations (id, inviter_id, friend_id, shown_as, state, invited_at, expires_at, joined_at, review_since, discount_booking_id)
        select gen_random_uuid(), seller_id, buyer_id, '', 'review', now(), now(), now(), now(), bookings.id
        from bookings join settlements on booking_id = bookings.id where bookings.id = ${booking}`.execute(
        tx,
      );
    },
  },
];

const at = new Date();
const dealOf = (bookingId: string) => ({ bookingId, currency: "usd", at });

async function oweBuyer(tx: Tx, booking: string, until: "given_up_at" | "retry_at") {
  await changeDeal(tx, dealOf(booking), (journals) => journals.decideRefund(booking, 10_000));
  const column = sql.ref(until);
  await sql`update payments set owed_since = now() - interval '2 hours', ${column} = now() + interval '1 day'
    where booking_id = ${booking}`.execute(tx);
}

/** Postpones the jobs that would move the money. */
async function release(tx: Tx, booking: string): Promise<void> {
  await changeDeal(tx, dealOf(booking), (journals) => journals.release(booking, () => 0));
  await sql`update settlements set decided_at = now(), retry_at = now() + interval '1 day',
    reversal_at = now() + interval '1 day' where booking_id = ${booking}`.execute(tx);
}

async function refuseTransfer(tx: Tx, booking: string, refusal: string): Promise<void> {
  await release(tx, booking);
  await sql`insert into money_moves (id, booking_id, kind, attempt, round, cents, state, refusal, intended_at, last_called_at)
    values (gen_random_uuid(), ${booking}, 'transfer', 1, 1, 64000, 'refused', ${refusal}, now(), now())`.execute(
    tx,
  );
}

async function close(
  tx: Tx,
  booking: string,
  happen: (journals: DealJournals) => void,
): Promise<void> {
  await release(tx, booking);
  await changeDeal(tx, dealOf(booking), (journals) => {
    journals.transfer({ id: `tr_${booking}`, cents: 64_000 });
    happen(journals);
  });
  await sql`update settlements set closed_at = now() where booking_id = ${booking}`.execute(tx);
}

test("each item in Needs you states the problem and links to a dashboard page", async ({
  page,
  newSeller,
  buyer,
}) => {
  const deals: ((typeof causes)[number] & { laptop: Laptop; booking: string })[] = [];
  for (const cause of causes) {
    const laptop = await listLaptop(newSeller);
    deals.push({ ...cause, laptop, booking: await handOver(buyer, laptop) });
  }
  const difference = `txn_${randomUUID()}`;
  await changeDatabase(async (tx) => {
    for (const { bring, booking } of deals) await bring(tx, booking);
    await sql`insert into ledger_differences (reference, provider_cents, ledger_cents, found_at)
      values (${difference}, 300, 0, now())`.execute(tx);
  });
  await page.goto("/dashboard/needsYou");
  for (const { sentence, laptop } of deals) {
    await expect(rowOf(page, laptop.product_name)).toContainText(sentence);
    await expect(rowOf(page, laptop.product_name).getByRole("link")).toHaveAttribute(
      "href",
      /^\/dashboard\//,
    );
  }
  const unequal = rowOf(page, difference);
  await expect(unequal).toContainText("The card provider and our ledger differ by $3.");
  await unequal.getByRole("link", { name: "See the ledger" }).click();
  await expect(page.getByRole("heading", { name: "Ledger", level: 1 })).toBeVisible();
});
