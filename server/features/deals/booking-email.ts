import type { EmailName } from "#contract/emails.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import type { EmailKind } from "../../email/email.ts";
import { quoteListing } from "../../email/email-phrases.ts";

/** Only the listing's name, the place and an admin's reason are free text. */
export type BookingFacts = {
  bookingId: string;
  categoryId: string;
  product: string;
  /** The category's name, such as "Dell". */
  brand: string;
  /** Such as "an HP laptop". */
  aLaptop: string;
  /** For the buyer, the amount by card. For the seller, by default the laptop's price. */
  price: string;
  /** Sentences about discount and credit, used or returned (`creditBack`); may be empty. */
  savings: string;
  creditBack: string;
  timeLeft: string;
  /** Whether the buyer pays or gets back any money by card. */
  toCard: boolean;
  /** A sentence; empty if there is none. */
  reason: string;
  /** Empty unless the email is about a payment. */
  transactionId: string;
  /** Empty unless the email is about a meeting. The place contains no contact details. */
  meetingTime: string;
  meetingPlace: string;
};

export type BookingMessage = {
  name: EmailName;
  text: string;
  action: { label: string; path: string };
  nextStep: string;
};

/**
 * The texts are in `deal-emails.ts`, `meeting-emails.ts`, `money/settlement-emails.ts` and
 * `complaints/emails.ts`. They leave out the other member's name and contact details, because
 * emails outlive bookings.
 */
export type BookingEmail = Partial<
  Record<"buyer" | "seller", (facts: BookingFacts) => BookingMessage>
> & {
  /** By default `payment`. */
  kind?: EmailKind;
  /** If set, the email is sent only while the booking is in one of these states. */
  onlyWhile?: readonly BookingState[];
};

export const myOrders = { label: "View My Orders", path: "/dashboard" };
export const myProducts = { label: "View My Products", path: "/dashboard/myProducts" };
export const payouts = { label: "View my payouts", path: "/dashboard/payouts" };
export const paymentPage = (label: string, { bookingId }: BookingFacts) => ({
  label,
  path: `/dashboard/payment/${bookingId}`,
});
export const handoverPage = (label: string, { bookingId }: BookingFacts) => ({
  label,
  path: `/dashboard/handover/${bookingId}`,
});
export const complaintPage = (label: string, { bookingId }: BookingFacts) => ({
  label,
  path: `/dashboard/complaint/${bookingId}`,
});

export function bookingContent(
  { name, text, action, nextStep }: BookingMessage,
  { product, brand, aLaptop, price }: BookingFacts,
  publicUrl: string,
) {
  return {
    name,
    values: { brand, laptop: aLaptop, price },
    paragraphs: [text, ...quoteListing(product), nextStep],
    action: { label: action.label, url: `${publicUrl}${action.path}` },
  };
}

export const nothingToDo = "You don't need to do anything.";

/** "a Dell laptop", "an Apple laptop", "an HP laptop". */
export function withArticle(brand: string): string {
  const startsWithVowelSound = /^(?:[AEIO]|[FHLMNRSX][A-Z])/.test(brand);
  return `${startsWithVowelSound ? "an" : "a"} ${brand} laptop`;
}
