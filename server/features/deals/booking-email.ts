import type { EmailName } from "#contract/emails.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import type { EmailKind } from "../../email/email.ts";
import { quoteListing } from "../../email/email-phrases.ts";

export type Party = "buyer" | "seller";

/** Members write `product` and `meetingPlace`. Admins write `brand` and `reason`. */
export type BookingFacts = {
  /** The recipient's side. */
  party: Party;
  bookingId: string;
  categoryId: string;
  product: string;
  /** The category's name, such as "Dell". */
  brand: string;
  /** Such as "an HP laptop". */
  aLaptop: string;
  /** By default, what the buyer pays by card; for the seller, the laptop's price. */
  price: string;
  /** A sentence about the buyer's discount and credit; may be empty. */
  savings: string;
  /** A sentence about returned credit; may be empty. */
  creditBack: string;
  timeLeft: string;
  /** False if the buyer gets no money back by card. */
  toCard: boolean;
  /** A sentence with an admin's reason; may be empty. */
  reason: string;
  /** May be empty. */
  transactionId: string;
  /** Empty unless the email is about a meeting. The place contains no contact details. */
  meetingTime: string;
  meetingPlace: string;
};

export type BookingMessage = {
  name: EmailName;
  text: string;
  /** By default, a link to My Orders or My Products. */
  action?: { label: string; path: string };
  /** By default, that there is nothing to do. */
  nextStep?: string;
};

/**
 * The texts leave out the other member's name and contact details, because emails outlive bookings.
 */
export type BookingEmail = Partial<Record<Party, (facts: BookingFacts) => BookingMessage>> & {
  /** By default `payment`. */
  kind?: EmailKind;
  /** If set, the email is sent only while the booking is in one of these states. */
  onlyWhile?: readonly BookingState[];
};

const listOfDeals = {
  buyer: { label: "View My Orders", path: "/dashboard" },
  seller: { label: "View My Products", path: "/dashboard/myProducts" },
};
export const payouts = { label: "View my payouts", path: "/dashboard/payouts" };

const dealPage =
  (page: string) =>
  (label: string, { bookingId }: BookingFacts) => ({
    label,
    path: `/dashboard/${page}/${bookingId}`,
  });
export const paymentPage = dealPage("payment");
export const handoverPage = dealPage("handover");
export const complaintPage = dealPage("complaint");

export function bookingContent(
  { name, text, action, nextStep = "You don't need to do anything." }: BookingMessage,
  { party, product, brand, aLaptop, price }: BookingFacts,
  publicUrl: string,
) {
  const { label, path } = action ?? listOfDeals[party];
  return {
    name,
    values: { brand, laptop: aLaptop, price },
    paragraphs: [text, ...quoteListing(product), nextStep],
    action: { label, url: `${publicUrl}${path}` },
  };
}

/** Such as "a Dell laptop", "an Apple laptop" or "an HP laptop". */
export function withArticle(brand: string): string {
  const startsWithVowelSound = /^(?:[AEIO]|[FHLMNRSX][A-Z])/.test(brand);
  return `${startsWithVowelSound ? "an" : "a"} ${brand} laptop`;
}
