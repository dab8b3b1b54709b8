import { expect } from "vitest";
import { type EmailName, emailNames, emailSubjects, placeholdersOf } from "#contract/emails.ts";
import {
  defaultSettings,
  discardShopDraft,
  previewEmail,
  publishShopSettings,
  readShopSettings,
  restoreShopVersion,
  type ShopSettings,
  saveShopDraft,
} from "#contract/shop-settings.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { mailsTo, waitForMail, waitForMailAbout } from "../../testing/inbox.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { offerFor } from "../deals/testing.ts";

const test = shopTest({ sandbox: true, worker: true });

type Emails = Partial<ShopSettings["emails"]>;

async function publish(owner: Person, emails: Emails): Promise<void> {
  const { number: basedOn, draftRevision: over } = await owner.call(readShopSettings, {});
  await owner.call(publishShopSettings, {
    body: { settings: { ...defaultSettings, emails }, basedOn, over },
  });
}

async function saveDraft(owner: Person, changes: Partial<ShopSettings>): Promise<void> {
  const { number: basedOn, draftRevision: over } = await owner.call(readShopSettings, {});
  const settings = { ...defaultSettings, ...changes };
  await owner.call(saveShopDraft, { body: { settings, basedOn, over } });
}

const preview = (owner: Person, name: EmailName) =>
  owner.call(previewEmail, { body: { name, send: false } });

test.afterEach(async ({ admin }) => {
  await admin.call(discardShopDraft, {});
  await publish(admin, {});
});

const builtIn: Record<EmailName, string> = {
  "address-to-confirm": "Confirm your email address",
  "password-reset": "Set a new password for Secondlap",
  "friend-invitation": "You're invited to Secondlap",
  "new-messages": "You have 2 new messages about ThinkPad X1 Carbon Gen 9",
  "saved-laptops-changed": "News about a laptop you saved",
  "saved-search-matched": "2 new laptops for your saved search",
  "listing-approved": "Your laptop is on sale",
  "listing-taken-down": "We took down one of your listings",
  "offer-received": "Nora offers $400 for the ThinkPad X1 Carbon Gen 9",
  "offer-declined": "Your offer of $400 was declined",
  "offer-withdrawn": "The offer of $400 was taken back",
  "offer-expired": "Your offer of $400 has run out",
  "offer-ended": "The offer of $400 has ended",
  "offer-accepted-buyer": "You agreed on $450 for a Lenovo laptop",
  "offer-accepted-seller": "You agreed on $450 for your Lenovo laptop",
  "hold-started-buyer": "Your hold on a Lenovo laptop",
  "hold-started-seller": "Your Lenovo laptop is on hold",
  "hold-expired-buyer": "Your hold on a Lenovo laptop has expired",
  "hold-canceled-buyer": "Your hold on a Lenovo laptop was canceled",
  "hold-ended-seller": "Your Lenovo laptop is back on sale",
  "payment-received-buyer": "Your receipt for a Lenovo laptop",
  "payment-received-seller": "You sold your Lenovo laptop",
  "payment-received-late-buyer": "The Lenovo laptop is yours after all",
  "meeting-proposed": "When and where to hand over the Lenovo laptop",
  "meeting-agreed": "Agreed: the handover of the Lenovo laptop",
  "meeting-reminder": "Coming up: the handover of the Lenovo laptop",
  "meeting-withdrawn": "No time agreed yet for the Lenovo laptop",
  "meeting-canceled": "Called off: the handover of the Lenovo laptop",
  "handover-reminder-buyer": "Have you picked up a Lenovo laptop?",
  "handover-reminder-seller": "Have you handed over your Lenovo laptop?",
  "handover-confirmed-buyer": "You've received a Lenovo laptop",
  "handover-confirmed-seller": "The buyer has your Lenovo laptop",
  "handover-missed-buyer": "We're refunding you $450",
  "sale-canceled-seller": "The sale of your Lenovo laptop was canceled",
  "refund-sent-buyer": "Your refund of $450 is on its way",
  "refund-failed-buyer": "Your bank sent back your refund of $450",
  "refund-owed-buyer": "We owe you $450",
  "partial-refund-failed-buyer": "We couldn't refund $450 to your card",
  "leftover-refunded-buyer": "You get $450 back",
  "leftover-credited-buyer": "Some of the price of a Lenovo laptop goes back",
  "leftover-refunded-seller": "$450 for your Lenovo laptop went back to the buyer",
  "bank-account-needed": "Where should we send your $450?",
  "payout-sent": "Your $450 is on its way",
  "payout-set-off": "Your $450 covered what you owed us",
  "payout-failed": "Your bank sent back $450",
  "complaint-opened-buyer": "We have your complaint about a Lenovo laptop",
  "complaint-opened-seller": "The buyer says something is wrong with your Lenovo laptop",
  "complaint-reminder-seller": "Answer the complaint about your Lenovo laptop",
  "complaint-offer-buyer": "The seller offers you $450 back",
  "complaint-disputed-buyer": "The seller sees it differently",
  "complaint-escalated-buyer": "We're looking into your complaint",
  "complaint-escalated-seller": "We're looking into the complaint about your Lenovo laptop",
  "complaint-refunded-buyer": "You get your $450 back",
  "complaint-refunded-seller": "The buyer of your Lenovo laptop gets a refund",
  "complaint-partly-refunded-buyer": "You get $450 back",
  "complaint-partly-refunded-seller": "The buyer of your Lenovo laptop gets $450 back",
  "complaint-closed-buyer": "Your complaint is closed",
  "complaint-closed-seller": "The complaint about your Lenovo laptop is closed",
  "return-agreed-buyer": "Give a Lenovo laptop back to get your money",
  "return-agreed-seller": "The buyer gives your Lenovo laptop back",
  "return-confirmed-seller": "You have your Lenovo laptop back",
  "bank-inquiry-seller": "The bank asks about the payment for your Lenovo laptop",
  "dispute-opened-seller": "The payment for your Lenovo laptop is disputed",
  "dispute-won-seller": "The payment for your Lenovo laptop stands",
  "dispute-lost-seller": "The bank gave back the payment for your Lenovo laptop",
  "review-invitation": "How was it? Review the seller of ThinkPad X1 Carbon Gen 9",
  "reviews-published": "The reviews are in",
};

test("each email to members has a built-in subject and no unfilled placeholders", async ({
  admin,
}) => {
  const subjects: Record<string, string> = {};
  for (const name of emailNames) {
    const { subject, text } = await preview(admin, name);
    subjects[name] = subject;
    expect(text, name).not.toMatch(/[{}]|undefined/);
  }
  expect(subjects).toEqual(builtIn);
});

test("an email has the owner's subject and opening, followed by the unchanged built-in text", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  await bookLaptop(buyer, await listing(seller));
  const before = await waitForMail(shop, seller.email);
  expect(before.subject).toMatch(/^Your .+ laptop is on hold$/);
  await publish(admin, {
    "hold-started-seller": {
      subject: "{shop}: a buyer for your {brand}",
      opening: "Good news from {shop}.\nYour {brand} laptop found a buyer.",
    },
  });
  const another = await member(shop, { accountType: "seller" });
  await bookLaptop(await member(shop), await listing(another));
  const after = await waitForMail(shop, another.email);
  const [, brand = ""] = /^Your (.+) laptop is/.exec(before.subject) ?? [];
  expect(after.subject).toBe(`Secondlap: a buyer for your ${brand}`);
  const opening = `Good news from Secondlap.\nYour ${brand} laptop found a buyer.`;
  const greeting = `Hi ${another.name},\n\n`;
  expect(after.text).toContain(`${greeting}${opening}\n\nA buyer has put your ${brand} laptop`);
  expect(after.text.replace(`${opening}\n\n`, "").replace(another.name, "")).toBe(
    before.text.replace(seller.name, ""),
  );
  expect(after.html).toContain("<p>Good news from Secondlap.<br>Your");
});

test("members' text can't become a placeholder, markup or a link in the owner's emails", async ({
  shop,
  admin,
  buyer,
}) => {
  const email = { subject: "{laptop} by {member}", opening: "<b>{laptop}</b>" };
  await publish(admin, { "offer-received": email });
  const seller = await member(shop, { accountType: "seller" });
  await offerFor(buyer, await listing(seller, { product_name: "{price} <i>{shop}</i>" }), 500);
  const offer = await waitForMail(shop, seller.email);
  expect(offer.subject).toBe("{price} <i>{shop}</i> by buyer");
  expect(offer.text).toContain("<b>{price} <i>{shop}</i></b>");
  expect(offer.html).not.toMatch(/<[bi]>/);
  // Imitates a listing with a web address, saved before such names were rejected.
  const old = await listing(seller);
  const named = { product_name: "ThinkPad evil.com" };
  await shop.deps.db.updateTable("products").set(named).where("id", "=", old).execute();
  await offerFor(buyer, old, 500);
  const substitute = await waitForMailAbout(shop, seller.email, /^laptop by buyer$/);
  expect(`${substitute.subject}${substitute.text}`).not.toContain("evil.com");
});

test("the preview and the test email show the draft, and only the owner who asks gets the test email", async ({
  shop,
  admin,
  buyer,
}) => {
  const other = await member(shop, { isAdmin: true });
  const texts = { subject: "Draft: {price} for you", opening: "Hey!" };
  await saveDraft(admin, { emails: { ...defaultSettings.emails, "payout-sent": texts } });
  const draft = await preview(admin, "payout-sent");
  expect(draft.subject).toBe("Draft: $450 for you");
  expect(draft.text).toContain(`Hi ${admin.name},\n\nHey!\n\nWe've sent you $450`);
  await admin.call(previewEmail, { body: { name: "payout-sent", send: true } });
  const sent = await waitForMail(shop, admin.email);
  expect(sent).toMatchObject({ to: [admin.email], subject: draft.subject, text: draft.text });
  for (const { email } of [other, buyer])
    expect((await mailsTo(shop, email)).filter(({ text }) => text.includes("Hey!"))).toEqual([]);
  expect(await preview(other, "payout-sent")).toMatchObject({ subject: draft.subject });
  await admin.call(discardShopDraft, {});
  expect((await preview(admin, "payout-sent")).subject).toBe("Your $450 is on its way");
});

test("an email preview shows the time limits from the draft, and never more time than there is", async ({
  admin,
}) => {
  const times = { holdHours: 1, handoverDays: 14, complaintHours: 48, returnDays: 5 };
  expect((await preview(admin, "hold-started-buyer")).text).toContain("for you for 24 hours.");
  await saveDraft(admin, { times });
  expect((await preview(admin, "hold-started-buyer")).text).toContain("for you for 60 minutes.");
  expect((await preview(admin, "offer-accepted-seller")).text).toContain("have 60 minutes to pay");
  expect((await preview(admin, "handover-confirmed-buyer")).text).toContain("another 48 hours");
  expect((await preview(admin, "return-agreed-seller")).text).toContain("Meet them within 5 days");
  await saveDraft(admin, { times: { ...times, complaintHours: 84 } });
  expect((await preview(admin, "handover-confirmed-seller")).text).toContain(
    "They have 3 days to tell us",
  );
});

test("an owner with an unconfirmed address is told why no test email can be sent", async ({
  shop,
}) => {
  const owner = await member(shop, { isAdmin: true, confirmed: false });
  const sending = owner.call(previewEmail, { body: { name: "payout-sent", send: true } });
  expect(await errorOf(sending)).toMatchObject({
    status: 409,
    message: "We can't email you now. Confirm your email address first, or try again tomorrow.",
  });
});

test("a settings version shows that emails changed, and restoring the previous version undoes the changes", async ({
  admin,
}) => {
  const emails = { "hold-ended-seller": { subject: "Back again", opening: "" } };
  await publish(admin, {});
  await publish(admin, emails);
  const { published, versions } = await admin.call(readShopSettings, {});
  expect(published.emails).toEqual({ ...defaultSettings.emails, ...emails });
  expect(versions[0]?.changed).toEqual(["emails"]);
  await admin.call(restoreShopVersion, { body: { _id: versions[1]?._id ?? "" } });
  expect((await admin.call(readShopSettings, {})).published.emails).toEqual(defaultSettings.emails);
  expect((await preview(admin, "hold-ended-seller")).subject).toBe(
    "Your Lenovo laptop is back on sale",
  );
});

test("an owner's email text can use {shop} and the built-in subject's placeholders", () => {
  expect(placeholdersOf("offer-received")).toEqual(["{shop}", "{member}", "{price}", "{laptop}"]);
  expect(placeholdersOf("friend-invitation")).toEqual(["{shop}"]);
  expect(Object.keys(emailSubjects)).toEqual(emailNames);
});
