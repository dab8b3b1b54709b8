import { expect, type Page } from "@playwright/test";
import { confirmHandover } from "#contract/handover.ts";
import { promoOf, specifiedRules } from "#contract/invitation-rules.ts";
import {
  acceptInvitation,
  readInvitationOffer,
  readOwnInvitations,
} from "#contract/invitations.ts";
import { connectPayoutAccount, refreshPayoutAccount } from "#contract/payouts.ts";
import { enqueue } from "#server/jobs/job-queue.ts";
import { paths } from "#web/paths.ts";
import {
  bookLaptop,
  cardsOf,
  listLaptop,
  logInMember,
  type Member,
  newCredentials,
  registerMember,
} from "./accounts.ts";
import { changeDatabase } from "./database.ts";
import {
  confirmIn,
  fillCard,
  fillSignUp,
  navigateOnClient,
  rowOf,
  signIn,
  test,
  toastOf,
  waitForHydration,
} from "./fixtures.ts";
import { chooseAnother, openGoogle } from "./google.ts";
import { findInMail } from "./mails.ts";

const invitationLink = /Take a look:\nhttps?:\/\/[^/]+(\/signup\S+)/;

/** Runs the reward job until the inviter has this credit, and expects the credit on their page. */
async function expectCredit(page: Page, inviter: Member, dollars: number): Promise<void> {
  const credit = async () => {
    await changeDatabase((tx) => enqueue(tx, "rewardInvitations", { payload: {} }));
    return (await inviter.call(readOwnInvitations, {})).credit.balance;
  };
  await expect.poll(credit).toBe(dollars);
  await page.goto("/dashboard/invitations");
  const shown = page
    .getByRole("region", { name: "Your credit" })
    .getByText(`$${dollars}`, { exact: true });
  await expect(shown).toBeVisible();
}

test("§1.4 §9.6 §10.3: an invited friend gets 15% off, and the inviter gets $30 in credit", async ({
  page,
  otherPage: phone,
  baseURL,
  seller,
}) => {
  const url = String(baseURL);
  const [owner, friend] = [newCredentials("Ines"), newCredentials("Frida")];
  await page.goto("/");
  await page.getByLabel("Your friend's email address").fill(friend.email);
  await page.getByRole("button", { name: "Join Us", exact: true }).click();
  await page.getByRole("main").getByRole("link", { name: "Create new account" }).click();
  await expect(page.getByRole("heading", { name: "Sign up" })).toBeVisible();
  await fillSignUp(page, owner, "Buyer");
  await expect(page.getByLabel("Your friend's email address")).toHaveValue(friend.email);
  const inviter = await logInMember(url, owner);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByRole("cell", { name: "fr•••@example.com" })).toBeVisible();
  await expect(page.getByRole("cell", { name: /^[A-Z].+, \d+:\d\d\s[AP]M$/ })).toBeVisible();
  await expect(page.getByRole("img", { name: "QR code of your link" })).toBeVisible();

  await phone.goto(await findInMail(inviter, friend.email, invitationLink));
  await waitForHydration(phone);
  const banner = phone.getByRole("complementary", { name: "Your invitation" });
  await expect(phone.getByRole("main")).toContainText("15% off your first purchase over $200");
  await expect(banner).toHaveCount(0);
  await expect(phone.getByLabel("Email")).toHaveValue(friend.email);
  await fillSignUp(phone, friend, "Buyer");
  await expect(phone.getByText("User Created Successfully.")).toBeVisible();
  await navigateOnClient(phone, "/blogs");
  await expect(phone.getByRole("heading", { level: 1, name: "Blogs" })).toBeVisible();
  await expect(banner).toContainText("15% off your first purchase over $200");

  const member = await logInMember(url, friend);
  const confirmed = { confirmed_at: new Date() };
  await changeDatabase((tx) =>
    tx.updateTable("members").set(confirmed).where("email", "=", friend.email).execute(),
  );
  const laptop = await listLaptop(seller, { resale_price: 450 });
  const dialog = phone.getByRole("dialog");
  await phone.goto(`${paths.laptop(laptop._id)}?book=${laptop._id}`);
  await expect(dialog).toContainText("15% off your first purchase over $200");
  const cheap = await listLaptop(seller, { resale_price: 200 });
  await navigateOnClient(phone, `${paths.laptop(cheap._id, cheap.product_name)}?book=${cheap._id}`);
  await expect(dialog).toContainText("We'll hold the laptop for you for");
  await expect(phone.getByLabel("Your invitation")).toContainText("15% off");
  await expect(dialog).not.toContainText("15% off");
  const booking = await bookLaptop(member, laptop);
  await navigateOnClient(phone, `/dashboard/payment/${booking}`);
  await expect(phone.getByText("Please Pay $382.50")).toBeVisible();
  // Members with the same card look like one person, so no other browser test uses this card.
  await fillCard(phone, "5555 5555 5555 4444");
  await phone.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(phone.getByText("Congrats! your payment completed")).toBeVisible();
  const receipt = phone.getByRole("region", { name: "Receipt" });
  await expect(receipt).toContainText("Invitation discount−$67.50");
  await expect(receipt).toContainText("Paid by card$382.50");
  await expect(banner).toHaveCount(0);

  const account = await seller.call(connectPayoutAccount, {});
  const cards = await cardsOf(seller);
  await cards.onboard(account.url);
  await seller.call(refreshPayoutAccount, {});
  await member.call(confirmHandover, { body: { id: booking } });
  await expectCredit(page, inviter, 0);
  // The shop pays the discount from its balance, where payments become available days later.
  await cards.advanceClock(10);
  await changeDatabase(async (tx) => {
    await tx
      .updateTable("settlements")
      .set({ handed_over_at: new Date(0) })
      .where("booking_id", "=", booking)
      .execute();
    await enqueue(tx, "settleDeals", { payload: {} });
  });
  await expectCredit(page, inviter, 30);
  const own = await bookLaptop(inviter, await listLaptop(seller, { resale_price: 300 }));
  await navigateOnClient(page, `/dashboard/payment/${own}`);
  await expect(page.getByText("Please Pay $270")).toBeVisible();
});

test("a member copies and shares an invitation link with a QR code, and a friend opens the link and joins with Google", async ({
  page,
  otherPage: phone,
  baseURL,
  buyer,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    navigator.share = async (data) =>
      void document.body.setAttribute("data-shared", `${data?.url}`);
  });
  await signIn(page, buyer);
  await page.goto("/dashboard/invitations");
  await expect(page.getByText(promoOf(specifiedRules).sentence)).toBeVisible();
  const { link } = await buyer.call(readOwnInvitations, {});
  expect(new URL(link).origin).toBe(new URL(String(baseURL)).origin);
  await expect(page.getByText(link, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(toastOf(page, "Link copied.")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(link);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.locator("body")).toHaveAttribute("data-shared", link);
  await expect(page.getByRole("img", { name: "QR code of your link" })).toBeVisible();

  await phone.goto(link);
  await waitForHydration(phone);
  const banner = phone.getByRole("complementary", { name: "Your invitation" });
  await expect(phone.getByRole("main")).toContainText("A friend invited you");
  await test.step("the browser keeps the invitation while the server can't be reached", async () => {
    const acceptance = "**/api/invites/acceptance";
    await phone.route(acceptance, (route) => route.abort());
    await chooseAnother(await openGoogle(phone), newCredentials("Gina"));
    await expect(toastOf(phone, "Login Successful.")).toBeVisible();
    const unreachable = phone.waitForEvent("requestfailed", (request) =>
      request.url().endsWith("/api/invites/acceptance"),
    );
    await phone.goto("/blogs");
    await unreachable;
    await phone.unroute(acceptance);
    const accepted = phone.waitForResponse(acceptance);
    await phone.reload();
    const answer = await accepted;
    expect(answer.status()).toBe(201);
  });
  await expect(banner).toBeVisible();
  await page.reload();
  await expect(page.getByRole("cell", { name: "Joined by your link" })).toBeVisible();
});

test("an admin approves one suspicious invitation and rejects another", async ({
  page,
  baseURL,
  buyer,
  demoMembers,
}) => {
  const { code } = await buyer.call(readOwnInvitations, {});
  const friends = [];
  for (const name of ["Ada", "Ben"]) {
    const friend = await registerMember(String(baseURL), "buyer", newCredentials(name));
    await friend.call(acceptInvitation, { body: { code } });
    friends.push(friend);
  }
  const emails = friends.map(({ email }) => email);
  await changeDatabase((tx) =>
    tx
      .updateTable("invitations")
      .set({ state: "review", reason: "browser" })
      .where("friend_id", "in", tx.selectFrom("members").select("id").where("email", "in", emails))
      .execute(),
  );
  await signIn(page, demoMembers.admin);
  await page.goto("/dashboard/invitations");
  const outcomes = [
    ["Approve", "The invitation counts.", true],
    ["Refuse", "The invitation doesn't count.", false],
  ] as const;
  for (const [index, [button, said, hasDiscount]] of outcomes.entries()) {
    const friend = friends[index];
    if (!friend) throw new Error("There is no such friend.");
    const row = rowOf(page, friend.email);
    await expect(row).toContainText("signed up in a browser that another member has used");
    await row.getByRole("button", { name: button }).click();
    if (button === "Refuse") await confirmIn(page, button);
    await expect(toastOf(page, said)).toBeVisible();
    await expect(row).toHaveCount(0);
    const offer = await friend.call(readInvitationOffer, {});
    expect(offer).toEqual({ hasDiscount });
  }
});
