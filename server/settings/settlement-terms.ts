import { z } from "zod";
import { complaintTerms } from "#contract/complaint-terms.ts";

/** A number with limits, and a sentence that names them. */
function between(least: number, most: number, unit: string) {
  const message = `must be a number of ${unit} from ${least} to ${most}`;
  return z.coerce.number(message).min(least, message).max(most, message);
}

/** When the money of a deal moves on (decisions/money). */
export const settlementFields = {
  /** The shop's part of a sale; the seller gets the rest. */
  FEE_PERCENT: between(0, 50, "percent").default(0),
  /** A laptop that is not handed over so long after its payment is refunded. */
  HANDOVER_DAYS: between(1, 60, "days").default(14),
  /** How long after the handover the buyer may say that something is wrong; never nothing, as the pages promise it. */
  COMPLAINT_HOURS: between(1, 720, "hours").default(72),
  /** How long after a complaint is decided for the buyer the laptop may take back to the seller; then admins see to it. */
  RETURN_DAYS: between(1, 60, "days").default(7),
  /** So long after the payment, admins are asked to see to money that can't reach its seller. */
  UNCLAIMED_DAYS: between(1, 729, "days").optional(),
};

type Terms = z.output<z.ZodObject<typeof settlementFields>> & { SELLER_COUNTRY: string };

const hour = 3_600_000;
const day = 24 * hour;

/** How many days Stripe keeps a balance that is paid out by hand, by country (docs.stripe.com/payouts, "Manual payouts"). */
function providerKeepsDays(country: string): number {
  return { us: 730, th: 10 }[country] ?? 90;
}

function unclaimedDays({ UNCLAIMED_DAYS, SELLER_COUNTRY }: Terms): number {
  return UNCLAIMED_DAYS ?? { us: 365, th: 7 }[SELLER_COUNTRY] ?? 75;
}

/** Refuses a time by which the provider keeps the money no longer. */
export function settlementProblems(set: Terms): string[] {
  const days = providerKeepsDays(set.SELLER_COUNTRY);
  if (unclaimedDays(set) < days) return [];
  return [
    `UNCLAIMED_DAYS must be less than ${days}: the card provider keeps money no longer in this country.`,
  ];
}

/** Times in milliseconds. */
export function settlementTerms(set: Terms) {
  return {
    feePercent: set.FEE_PERCENT,
    handoverMs: set.HANDOVER_DAYS * day,
    complaintMs: set.COMPLAINT_HOURS * hour,
    /** How long the seller has to answer a complaint, before an admin decides. */
    answerMs: complaintTerms.answerHours * hour,
    /** How long before the end of that time the seller is reminded. */
    answerReminderMs: day,
    /** How long an admin has to decide. */
    decisionMs: complaintTerms.decisionDays * day,
    /** A complaint that nobody has decided for so long is decided for the buyer. */
    undecidedMs: complaintTerms.undecidedDays * day,
    returnMs: set.RETURN_DAYS * day,
    /** Since the payment: when admins see to money that nobody claims, and how long the provider keeps it. */
    unclaimedMs: unclaimedDays(set) * day,
    providerKeepsMs: providerKeepsDays(set.SELLER_COUNTRY) * day,
  };
}

export type SettlementTerms = ReturnType<typeof settlementTerms>;
