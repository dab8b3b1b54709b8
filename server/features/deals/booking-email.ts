import type { EmailName } from "#contract/emails.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import type { EmailKind } from "../../email/email.ts";
import { quoteListing } from "../../email/email-phrases.ts";

/**
 * The values a booking email may show, with prices and times formatted. Only the listing's name,
 * the place and an admin's reason are free text.
 */
export type BookingFacts = {
  bookingId: string;
  categoryId: string;
  product: string;
  /** The category's name, such as Dell. */
  brand: string;
  /** The brand with its article, such as "an HP laptop". */
  aLaptop: string;
  /**
   * In the buyer's email, the amount paid or refunded by card. In the seller's email, by default
   * the laptop's price.
   */
  price: string;
  /**
   * Sentences about the discount and credit used (`savings`) and the credit returned
   * (`creditBack`). May be empty.
   */
  savings: string;
  creditBack: string;
  timeLeft: string;
  /** Whether the buyer pays or gets back any money by card. */
  toCard: boolean;
  /** An admin's reason as a sentence; empty if there is none. */
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
 * An email about a booking. The other member's name and contact details are only on the linked
 * pages, because an email outlives the booking.
 */
export type BookingEmail = Partial<
  Record<"buyer" | "seller", (facts: BookingFacts) => BookingMessage>
> & {
  kind: EmailKind;
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

/** The parts of an email about a booking that don't depend on the recipient. */
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

/** Adds the article: "a Dell laptop", "an Apple laptop", "an HP laptop". */
export function withArticle(brand: string): string {
  const startsWithVowelSound = /^(?:[AEIO]|[FHLMNRSX][A-Z])/.test(brand);
  return `${startsWithVowelSound ? "an" : "a"} ${brand} laptop`;
}
