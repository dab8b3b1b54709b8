import { z } from "zod";
import { complaintTerms } from "#contract/deal-texts.ts";
import { maxFee } from "#contract/fee.ts";
import type { DealTimes } from "#contract/shop-settings.ts";
import { between } from "./fields.ts";

/** Settings for the fee, and for the time limits of a deal. */
export const settlementFields = {
  HOLD_MINUTES: z.coerce
    .number()
    .positive()
    .max(60 * 24 * 365)
    .default(1_440),
  /** The shop's share of a sale. */
  FEE_PERCENT: between(0, maxFee.percent, "percent").default(0),
  /** Without a handover within this time after the payment, the buyer is refunded. */
  HANDOVER_DAYS: between(1, 60, "days").default(14),
  /** How long after the handover the buyer may complain. Never 0: pages promise this time. */
  COMPLAINT_HOURS: between(1, 720, "hours").default(72),
  /** The time to return the laptop after a decision for the buyer. After that, admins step in. */
  RETURN_DAYS: between(1, 60, "days").default(7),
  /** The time from the payment until admins take over money that can't be sent to the seller. */
  UNCLAIMED_DAYS: between(1, 729, "days").optional(),
};

type Terms = z.output<z.ZodObject<typeof settlementFields>> & { SELLER_COUNTRY: string };

const hour = 3_600_000;
const day = 24 * hour;

/** Days that Stripe keeps a balance with manual payouts (docs.stripe.com/payouts/manual). */
function providerKeepsDays(country: string): number {
  return { us: 730, th: 10 }[country] ?? 90;
}

function unclaimedDays({ UNCLAIMED_DAYS, SELLER_COUNTRY }: Terms): number {
  return UNCLAIMED_DAYS ?? { us: 365, th: 7 }[SELLER_COUNTRY] ?? 75;
}

export function settlementProblems(set: Terms): string[] {
  const days = providerKeepsDays(set.SELLER_COUNTRY);
  if (unclaimedDays(set) < days) return [];
  return [
    `UNCLAIMED_DAYS must be less than ${days}, the number of days for which the card provider keeps money in this country.`,
  ];
}

/** A deal's time limits, unless the shop's owner has set other limits. */
export function dealTimes(set: Terms): DealTimes {
  return {
    holdHours: set.HOLD_MINUTES / 60,
    handoverDays: set.HANDOVER_DAYS,
    complaintHours: set.COMPLAINT_HOURS,
    returnDays: set.RETURN_DAYS,
  };
}

export function settlementTerms(set: Terms) {
  return {
    feePercent: set.FEE_PERCENT,
    /** How long the seller has to answer a complaint before an admin decides. */
    answerMs: complaintTerms.answerHours * hour,
    /** How long before the deadline the seller is reminded to answer a complaint. */
    answerReminderMs: day,
    decisionMs: complaintTerms.decisionDays * day,
    /** A complaint that is still undecided after this time is decided for the buyer. */
    undecidedMs: complaintTerms.undecidedDays * day,
    unclaimedMs: unclaimedDays(set) * day,
    /** How long Stripe keeps unclaimed money, counted from the payment. */
    providerKeepsMs: providerKeepsDays(set.SELLER_COUNTRY) * day,
  };
}

export type SettlementTerms = ReturnType<typeof settlementTerms>;
