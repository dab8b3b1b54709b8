import type { BookingState } from "#contract/life-cycle.ts";
import type { EmailKind } from "../../email/email-queue.ts";

/** The values a booking email may show; prices and times formatted. None but the place is text from a member. */
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

export type BookingEmail = Partial<
  Record<"buyer" | "seller", (facts: BookingFacts) => BookingMessage>
> & {
  kind: EmailKind;
  /** Sent only while the booking is in one of these states; always, if absent. */
  onlyWhile?: readonly BookingState[];
};
