import type { BookingState } from "#contract/life-cycle.ts";
import type { EmailKind } from "../../email/email-queue.ts";

/** The values a booking email may show; prices and times formatted. None but the place and an admin's reason is text from a member. */
export type BookingFacts = {
  bookingId: string;
  categoryId: string;
  /** The category's name, such as Dell. */
  brand: string;
  /** The brand with its article, such as "an HP laptop". */
  aLaptop: string;
  /** For the buyer what they pay or get back by card, for the seller what the laptop costs. */
  price: string;
  /** Why the buyer pays less than the price, and what of it came back; empty if they pay all of it. */
  savings: string;
  creditBack: string;
  timeLeft: string;
  /** Whether some of it is about the buyer's card. */
  toCard: boolean;
  /** An admin's, as a sentence; empty if there is none. */
  reason: string;
  /** Empty unless the email is about a payment. */
  transactionId: string;
  /** Empty unless the email is about a place and time; the place has no addresses or telephone numbers. */
  meetingTime: string;
  meetingPlace: string;
};

export type BookingMessage = {
  subject: string;
  text: string;
  action: { label: string; path: string };
  nextStep: string;
};

/**
 * An email about a booking. It names neither the other member nor their contact details, because an email outlives
 * the booking; the linked pages show those.
 */
export type BookingEmail = Partial<
  Record<"buyer" | "seller", (facts: BookingFacts) => BookingMessage>
> & {
  kind: EmailKind;
  /** Sent only while the booking is in one of these states; always, if absent. */
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

export const nothingToDo = "You don't need to do anything.";

/** "a Dell laptop", "an Apple laptop", "an HP laptop". */
export function withArticle(brand: string): string {
  const startsWithVowelSound = /^(?:[AEIO]|[FHLMNRSX][A-Z])/.test(brand);
  return `${startsWithVowelSound ? "an" : "a"} ${brand} laptop`;
}
