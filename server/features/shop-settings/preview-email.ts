import { complaintTerms } from "#contract/deal-texts.ts";
import type { EmailName } from "#contract/emails.ts";
import { friendOffer } from "#contract/invitation-rules.ts";
import { formatPrice, toCents } from "#contract/price.ts";
import type { DealTimes } from "#contract/shop-settings.ts";
import { withDraft } from "../../current-shop.ts";
import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailContent, type EmailMessage } from "../../email/email.ts";
import { renderEmail } from "../../email/email-layout.ts";
import { timeUntil } from "../../email/email-phrases.ts";
import { AppError } from "../../errors.ts";
import { complaintEmails } from "../complaints/emails.ts";
import { type BookingEmail, bookingContent } from "../deals/booking-email.ts";
import { bookingEmails, holdEmails } from "../deals/deal-emails.ts";
import { currentPromo, currentTimes } from "../deals/fee-times-and-promo.ts";
import { meetingEmails } from "../deals/meeting-emails.ts";
import { offerEmail } from "../deals/offer-emails.ts";
import { passwordResetEmail } from "../identity/identity-hooks.ts";
import { confirmationEmail } from "../members/confirmation.ts";
import { messagesEmail } from "../messages/mail-messages.ts";
import { payoutFailedEmail, settlementEmails } from "../money/settlement-emails.ts";
import { approvedEmail, takenDownEmail } from "../products/moderate-listing.ts";
import { invitationToReview, publishedReviewsEmail } from "../reviews/emails.ts";
import { invitationEmail } from "../rewards/invite-friend.ts";
import { savedProductsEmail } from "../saved/mail-saved-products.ts";
import { savedSearchEmail } from "../saved/mail-saved-searches.ts";
import { readShopSettings } from "./shop-settings.ts";

const laptop = "ThinkPad X1 Carbon Gen 9";

/**
 * Renders an email with the draft settings, or else the published ones. Throws `IN_USE` if `send`
 * is set but the owner can't get emails now.
 */
export async function previewEmail(
  deps: Deps,
  { owner, name, send }: { owner: Member; name: EmailName; send: boolean },
): Promise<{ subject: string; text: string }> {
  const { db, config, emailQueue } = deps;
  const { draft, published } = await readShopSettings(db);
  const settings = draft ?? published;
  const terms = withDraft(settings, () => ({
    offer: friendOffer(currentPromo(deps)),
    timeLeft: sampleTimeLeft(name, currentTimes(deps)),
  }));
  const email = sampleEmail(name, owner, { url: config.publicUrl, ...terms });
  const sendEmail = () =>
    transact(db, "previewEmail", (tx) => emailQueue.add(tx, { kind: "alert", ...email }));
  if (send && !(await withDraft(settings, sendEmail)))
    throw new AppError(
      "IN_USE",
      "We can't email you now. Confirm your email address first, or try again tomorrow.",
    );
  const { subject, text } = renderEmail(email, settings);
  return { subject, text };
}

/** `offer` and `timeLeft` are phrases for the texts. */
type Sample = { url: string; offer: string; timeLeft: string };

/** Returns the time left that a sample email states: the email's own limit, or else 24 hours. */
function sampleTimeLeft(name: EmailName, { holdHours, complaintHours, returnDays }: DealTimes) {
  const hours: Partial<Record<string, number>> = {
    "hold-started": holdHours,
    "offer-accepted": holdHours,
    "handover-confirmed": complaintHours,
    "complaint-opened": complaintTerms.answerHours,
    "return-agreed": 24 * returnDays,
  };
  const event = name.replace(/-(buyer|seller)$/, "");
  return timeUntil(new Date((hours[event] ?? 24) * 3_600_000), new Date(0));
}

function sampleEmail(name: EmailName, owner: Member, sample: Sample): EmailContent {
  const isWanted = (email: EmailMessage) => "name" in email && email.name === name;
  const toMember = [...emailsAboutSale(sample), ...otherEmails(sample)].find(isWanted);
  if (toMember) return { ...addressedTo(owner), ...toMember };
  const toAddress = emailsToAddress(sample).find(isWanted);
  if (!toAddress) throw new Error(`The email ${name} has no sample.`);
  return { to: owner.email, ...toAddress };
}

function emailsAboutSale({ url, timeLeft }: Sample): EmailMessage[] {
  const facts = {
    bookingId: "sample",
    categoryId: "sample",
    product: laptop,
    brand: "Lenovo",
    aLaptop: "a Lenovo laptop",
    price: formatPrice(450),
    savings: "",
    creditBack: "",
    timeLeft,
    toCard: true,
    reason: "",
    transactionId: "sample",
    meetingTime: "Saturday, May 9, at 10:00 AM",
    meetingPlace: "Central Library",
  };
  const toBuyer = { ...facts, party: "buyer" } as const;
  const variants = [toBuyer, { ...toBuyer, toCard: false }, { ...facts, party: "seller" } as const];
  return [holdEmails, bookingEmails, meetingEmails, settlementEmails, complaintEmails]
    .flatMap((group) => Object.values<BookingEmail>(group))
    .flatMap((email) =>
      variants.flatMap((own) => {
        const message = email[own.party]?.(own);
        return message ? [bookingContent(message, own, url)] : [];
      }),
    );
}

/** The link has no token, so the owner can't unsubscribe by accident. */
const unsubscribeAt = (url: string) => `${url}/unsubscribe`;

/** Without a greeting, because the name may not be the recipient's. */
function emailsToAddress({ url, offer }: Sample): EmailMessage[] {
  return [
    confirmationEmail(url),
    passwordResetEmail(url),
    invitationEmail({ signUp: url, unsubscribe: unsubscribeAt(url), offer }),
  ];
}

function otherEmails({ url }: Sample): EmailMessage[] {
  const about = { url, unsubscribeUrl: unsubscribeAt(url), laptop };
  const found = { name: laptop, cents: toCents(450) };
  const news = { ...found, what: "cheaper", knownCents: toCents(500) } as const;
  const offer = { ...about, from: "Nora", price: 400, listed: 450 };
  const states = ["open", "declined", "withdrawn", "expired", "ended"] as const;
  return [
    messagesEmail({ ...about, unread: 2 }),
    savedProductsEmail({ ...about, news: [news] }),
    savedSearchEmail({ ...about, label: "Lenovo", laptops: [found, found] }),
    approvedEmail({ url, laptop }),
    takenDownEmail({ url, name: laptop, reason: "The photo shows another laptop." }),
    ...states.map((state) => offerEmail({ ...offer, state })),
    payoutFailedEmail({ url, price: formatPrice(450) }),
    invitationToReview({ ...about, role: "buyer", daysLeft: 7 }),
    publishedReviewsEmail({ ...about, both: true }),
  ];
}
