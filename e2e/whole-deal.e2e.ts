import { expect, type Page } from "@playwright/test";
import { readProduct } from "#contract/laptop-page.ts";
import { sellerPath } from "#contract/page-paths.ts";
import type { Tx } from "#server/db/database.ts";
import { enqueue } from "#server/jobs/job-queue.ts";
import { paths } from "#web/paths.ts";
import { cardsOf, type Laptop, listLaptop, type Member } from "./accounts.ts";
import { expectFocusKept, giveStars, pressEnterOn, tabTo, typeInto } from "./axe-and-keyboard.ts";
import { changeDatabase } from "./database.ts";
import {
  loadUntil,
  navigateOnClient,
  rowOf,
  signIn,
  test,
  toastOf,
  waitForHydration,
} from "./fixtures.ts";
import { confirmAddresses, type Mailbox, openMailbox } from "./mails.ts";

// The wrong handover code gets a 409. The seller's browser has another time zone.
test.use({ expectedErrors: [/status of 409/], timezoneId: "America/New_York" });

/** `page` is the buyer's page, and `theirs` is the seller's. */
type Story = {
  page: Page;
  theirs: Page;
  buyer: Member;
  seller: Member;
  laptop: Laptop;
  mails: Mailbox<"buyer" | "seller">;
};

test("a whole deal, from the first question to the reviews, works by keyboard alone and sends the expected emails", async ({
  page,
  browser,
  buyer,
  newSeller: seller,
}) => {
  await confirmAddresses([buyer, seller]);
  const laptop = await listLaptop(seller, { resale_price: 500 });
  const mails = openMailbox({ buyer, seller });
  const context = await browser.newContext({ timezoneId: "America/Los_Angeles" });
  const theirs = await context.newPage();
  await signIn(theirs, seller);
  await signIn(page, buyer);
  const story: Story = { page, theirs, buyer, seller, laptop, mails };
  await askTheSeller(story);
  await agreeOnAPrice(story);
  await pay(story);
  await proposeAMeeting(story);
  await acceptTheMeeting(story);
  await handItOver(story);
  await connectBank(story);
  await sendTheMoney(story);
  await writeAReview(story);
  await answerWithAReview(story);
  await readTheReviews(story);
  await context.close();
});

async function askTheSeller({ page, theirs, laptop, mails }: Story): Promise<void> {
  // Emails about unread messages are not due until minutes later.
  const sendDueEmails = () =>
    changeDatabase(async (tx) => {
      const due = { email_due_at: new Date(0) };
      const conversations = tx
        .selectFrom("conversations")
        .select("id")
        .where("product_id", "=", laptop._id);
      await tx
        .updateTable("conversation_members")
        .set(due)
        .where("conversation_id", "in", conversations)
        .where("email_due_at", "is not", null)
        .execute();
      await enqueue(tx, "mailMessages", { payload: {} });
    });
  const news = [`You have a new message about ${laptop.product_name}`];
  await page.goto(paths.laptop(laptop._id, laptop.product_name));
  await pressEnterOn(page.getByRole("link", { name: "Ask the seller" }));
  await typeInto(page.getByLabel("Your question"), "Would you take less?");
  await pressEnterOn(page.getByRole("button", { name: "Send", exact: true }));
  await expect(page.getByRole("log")).toContainText("Would you take less?");
  await expectFocusKept(page);
  await navigateOnClient(page, paths.laptop(laptop._id, laptop.product_name));
  await sendDueEmails();
  await mails.expectNew({ seller: news });

  await theirs.goto(paths.messages());
  await pressEnterOn(theirs.getByRole("link", { name: /Would you take less\?/ }));
  await typeInto(theirs.getByLabel("Message", { exact: true }), "Make me an offer.");
  await pressEnterOn(theirs.getByRole("button", { name: "Send", exact: true }));
  await expect(theirs.getByRole("log")).toContainText("Make me an offer.");
  await sendDueEmails();
  await mails.expectNew({ buyer: news });
}

async function agreeOnAPrice({ page, theirs, laptop, mails }: Story): Promise<void> {
  const { product_name: name } = laptop;
  await pressEnterOn(page.getByRole("link", { name: "Make an offer" }));
  await typeInto(page.getByLabel("Your price ($)"), "450");
  await typeInto(page.getByLabel("Phone"), "503-555-0100");
  await typeInto(page.getByLabel("Meeting Location"), "Central Library");
  await pressEnterOn(page.getByRole("button", { name: "Send offer" }));
  await expect(toastOf(page, "Your offer is on its way to the seller.")).toBeVisible();
  await expectFocusKept(page);
  await mails.expectNew({ seller: [`Bertil offers $450 for the ${name}`] });

  await navigateOnClient(theirs, "/dashboard/myProducts");
  await pressEnterOn(theirs.getByRole("link", { name: `Answer the offer of $450 for ${name}` }));
  const offer = theirs.getByRole("article", { name: `$450 for ${name}` });
  await expect(offer).toContainText("The buyer offers $450 (listed for $500)");
  await pressEnterOn(offer.getByRole("button", { name: `Accept $450 for ${name}` }));
  await pressEnterOn(theirs.getByRole("dialog").getByRole("button", { name: "Accept" }));
  await expect(toastOf(theirs, "Accepted. The laptop is on hold at this price.")).toBeVisible();
  await expect(offer).toContainText("Accepted.");
  await expectFocusKept(theirs);
  await mails.expectNew({
    buyer: ["You agreed on $450 for an Apple laptop"],
    seller: ["You agreed on $450 for your Apple laptop"],
  });
}

async function pay({ page, laptop, mails }: Story): Promise<void> {
  await navigateOnClient(page, "/dashboard");
  await pressEnterOn(
    page.getByRole("link", { name: `Pay for ${laptop.product_name}`, exact: true }),
  );
  await expect(page.getByText("Please Pay $450 for your booking product")).toBeVisible();
  const card = page.frameLocator("iframe").first();
  await typeInto(card.locator("[name=cardnumber]"), "4242424242424242");
  await typeInto(card.locator("[name=exp-date]"), "1234");
  await typeInto(card.locator("[name=cvc]"), "123");
  await pressEnterOn(page.getByRole("button", { name: /^Pay \$/ }));
  await expect(page.getByText("Congrats! your payment completed")).toBeVisible();
  await expectFocusKept(page);
  await mails.expectNew({
    buyer: ["Your receipt for an Apple laptop"],
    seller: ["You sold your Apple laptop"],
  });
}

async function proposeAMeeting({ page, theirs, laptop, mails }: Story): Promise<void> {
  const { product_name: name } = laptop;
  // The seller's open page must show the proposal without a reload.
  await theirs.goto("/dashboard/myProducts");
  await pressEnterOn(rowOf(theirs, name).getByRole("link", { name: "Place and time" }));
  await expect(theirs.getByRole("heading", { name: "Place and time" })).toBeVisible();
  await navigateOnClient(page, "/dashboard");
  await pressEnterOn(rowOf(page, name).getByRole("link", { name: "Place and time" }));
  await expect(page.getByRole("main")).toContainText(/Place and time.*Show a new code/s);
  const place = page.getByRole("textbox", { name: "Place" });
  await typeInto(place, " ");
  await pressEnterOn(page.getByRole("button", { name: "Propose" }));
  await expect(page.getByText("Say where you want to meet.")).toBeVisible();
  await typeInto(place, "Central library, café");
  await tabTo(page.getByLabel("Date and time"));
  const [year, month, day] = new Date(Date.now() + 3 * 86_400_000).toISOString().split(/[-T]/);
  await page.keyboard.type(`${month}${day}${year}`);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("0300PM");
  await pressEnterOn(page.getByRole("button", { name: "Propose" }));
  await expect(toastOf(page, "Proposed. We've emailed the other side.")).toBeVisible();
  await expect(page.getByRole("status").getByText("You proposed this.")).toBeVisible();
  await expectFocusKept(page);
  await mails.expectNew({ seller: ["When and where to hand over the Apple laptop"] });
}

async function acceptTheMeeting({ page, theirs, laptop, mails }: Story): Promise<void> {
  const { product_name: name } = laptop;
  const plan = theirs.getByRole("region", { name: "Place and time" });
  await expect(plan).toContainText("Central library, café");
  await expect(plan).toContainText(/3:00\sPM E[SD]T \(.*12:00\sPM P[SD]T for you\)/);
  await pressEnterOn(plan.getByRole("button", { name: "Accept" }));
  await expect(plan.getByRole("status").getByText("Agreed")).toBeVisible();
  await expectFocusKept(theirs);
  await mails.expectNew({
    buyer: ["Agreed: the handover of the Apple laptop"],
    seller: ["Agreed: the handover of the Apple laptop"],
  });
  await expect(page.getByText("Agreed", { exact: true })).toBeVisible();
  const download = page.waitForEvent("download");
  await pressEnterOn(page.getByRole("button", { name: "Add to calendar" }));
  const file = await download;
  expect(file.suggestedFilename()).toBe("handover.ics");
  await navigateOnClient(page, "/dashboard");
  await expect(rowOf(page, name)).toContainText(/You meet on .* 3:00\sPM/);
  await page.goBack();
}

async function handItOver({ page, theirs, laptop, mails }: Story): Promise<void> {
  const { product_name: name } = laptop;
  await expect(page.getByRole("img", { name: "QR code of your handover code" })).toBeVisible();
  const code = (await page.getByText(/^\d{3} \d{3}$/).textContent()) ?? "";
  await page.reload();
  await expect(page.getByText(code, { exact: true })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(/Show a new code.*Place and time/s);
  const field = theirs.getByLabel("Handover code");
  await typeInto(field, code === "000 000" ? "000001" : "000000");
  await field.press("Enter");
  const refusal = "That isn't the buyer's current code. 4 tries are left.";
  const tries = theirs.locator("[aria-live=polite]").getByText(refusal);
  await expect(tries).toBeVisible();
  await expect(field).toBeFocused();
  const handover = theirs.url();
  await typeInto(field, code);
  await field.press("Enter");
  const said = "Handed over. Payouts shows when the money is on its way.";
  await expect(toastOf(theirs, said)).toBeVisible();
  await expect(theirs).toHaveURL("/dashboard/myProducts");
  await expectFocusKept(theirs);
  await expect(theirs.getByText("Sold and handed over (1)")).toBeVisible();
  await theirs.goto(handover);
  const done = { name: "Handed over", exact: true };
  await expect(theirs.getByRole("heading", done)).toBeVisible();
  await expect(theirs.getByLabel("Handover code")).toHaveCount(0);

  await expect(page.getByRole("heading", done)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", done)).toBeVisible();
  await navigateOnClient(page, "/dashboard");
  await expect(rowOf(page, name)).toContainText("Handed over to you.");
  await expect(rowOf(page, name).getByRole("link", { name: "Handover code" })).toHaveCount(0);
  await mails.expectNew({ buyer: ["You've received an Apple laptop"] });
}

async function connectBank({ theirs }: Story): Promise<void> {
  await navigateOnClient(theirs, "/dashboard/payouts");
  await pressEnterOn(theirs.getByRole("button", { name: "Connect my bank account" }));
  await theirs.waitForURL(/stripe\/onboarding/);
  await typeInto(theirs.getByLabel("First name"), "Ada");
  await typeInto(theirs.getByLabel("Last name"), "Seller");
  await typeInto(theirs.getByLabel("Account number"), "000123456789");
  await tabTo(theirs.getByRole("checkbox"));
  await theirs.keyboard.press("Space");
  await pressEnterOn(theirs.getByRole("button", { name: "Finish", exact: true }));
  await theirs.waitForURL(/dashboard\/payouts\?connected/);
  await expect(theirs.getByText("Your bank account is connected")).toBeVisible();
}

function idOf(tx: Tx, { email }: Member) {
  return tx.selectFrom("members").select("id").where("email", "=", email);
}

async function sendTheMoney({ theirs, seller, laptop, mails }: Story): Promise<void> {
  const { product_name: name } = laptop;
  const cards = await cardsOf(seller);
  await expect(rowOf(theirs, name)).toContainText(/Handed over. Yours on [A-Z][a-z]{2} \d+,/);
  await changeDatabase(async (tx) => {
    await tx
      .updateTable("settlements")
      .set({ handed_over_at: new Date(0) })
      .where("seller_id", "in", idOf(tx, seller))
      .execute();
    await enqueue(tx, "settleDeals", { payload: {} });
  });
  await mails.expectNew({ seller: ["Your $450 is on its way"] });
  await theirs.reload();
  await expect(rowOf(theirs, name)).toContainText(/Sent on [A-Z][a-z]{2} \d+\./);
  await cards.advanceClock(5);
  const toBank = theirs.getByRole("region", { name: "To your bank" });
  const arrived = toBank.getByRole("row", { name: /^Arrived .*\$450$/ });
  await loadUntil(
    () => theirs.reload(),
    (patience) => expect(arrived).toBeVisible(patience),
  );
}

async function writeAReview({ page, seller, laptop, mails }: Story): Promise<void> {
  const { product_name: name } = laptop;
  await changeDatabase(async (tx) => {
    const now = { next_step_at: new Date(0) };
    await tx
      .updateTable("review_windows")
      .set(now)
      .where("seller_id", "in", idOf(tx, seller))
      .execute();
    await enqueue(tx, "reviewSteps", { payload: {} });
  });
  await mails.expectNew({
    buyer: [`How was it? Review the seller of ${name}`],
    seller: [`How was it? Review the buyer of ${name}`],
  });
  await page.goto("/dashboard");
  await pressEnterOn(rowOf(page, name).getByRole("link", { name: "Write a review" }));
  const deal = page.getByRole("article", { name });
  await pressEnterOn(deal.getByRole("button", { name: "Send review" }));
  await expect(deal.getByText("Write how it went.")).toBeVisible();
  await expect(deal).toContainText(/You can write a review until [A-Z].+, \d+:\d\d\s[AP]M\./);
  await giveStars(deal, 4);
  await typeInto(deal.getByLabel("How was it?"), "Friendly, and on time. Call 503-555-0199");
  await pressEnterOn(deal.getByRole("button", { name: "Send review" }));
  await expect(toastOf(page, "Thanks for your review.")).toBeVisible();
  await expectFocusKept(page);
  await expect(deal).toContainText("Friendly, and on time. Call [removed]");
  await expect(deal).toContainText("We'll publish it once");

  const other = await listLaptop(seller);
  await navigateOnClient(page, paths.laptop(other._id, other.product_name));
  await pressEnterOn(page.getByRole("region", { name: "Seller" }).getByRole("link"));
  await expect(page.getByRole("heading", { name: seller.name, level: 1 })).toBeVisible();
  await expect(page.getByText("No reviews yet", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: other.product_name })).toBeVisible();
}

async function answerWithAReview({ theirs, laptop, mails }: Story): Promise<void> {
  const { product_name: name } = laptop;
  await navigateOnClient(theirs, "/dashboard/myProducts");
  await pressEnterOn(theirs.locator("summary", { hasText: "Sold and handed over (1)" }));
  await pressEnterOn(rowOf(theirs, name).getByRole("link", { name: "Write a review" }));
  const sale = theirs.getByRole("article", { name });
  await expect(sale).not.toContainText("Friendly");
  await giveStars(sale, 5);
  await typeInto(sale.getByLabel("How was it?"), "Paid at once.");
  await pressEnterOn(sale.getByRole("button", { name: "Send review" }));
  await expect(sale).toContainText("Friendly, and on time.");
  await mails.expectNew({ buyer: ["The reviews are in"], seller: ["The reviews are in"] });
  await expectFocusKept(theirs);
  await pressEnterOn(sale.getByRole("button", { name: "Reply" }));
  await typeInto(theirs.getByLabel("Your reply"), "Enjoy it!");
  await pressEnterOn(theirs.getByRole("button", { name: "Submit" }));
  await expect(sale).toContainText("Enjoy it!");
  await expectFocusKept(theirs);
}

async function readTheReviews({ page, seller, laptop, mails }: Story): Promise<void> {
  const { seller: shown } = await seller.call(readProduct, { params: { id: laptop._id } });
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto(sellerPath(shown._id));
  await waitForHydration(page);
  await expect(page.getByRole("heading", { name: seller.name, level: 1 })).toBeVisible();
  await expect(page.getByText("4.0 of 5 stars (1 review)")).toBeVisible();
  await expect(page.getByText("Friendly, and on time. Call [removed]")).toBeVisible();
  await expect(page.getByText("Enjoy it!")).toBeVisible();
  await mails.expectNew({});
}
