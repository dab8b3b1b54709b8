import { z } from "zod";
import { complaintTerms } from "#contract/complaint-terms.ts";

/** A number with limits, and a sentence that names them. */
function between(least: number, most: number, unit: string) {
  const message = `must be a number of ${unit} from ${least} to ${most}`;
  return z.coerce.number(message).min(least, message).max(most, message);
}

/** When the money of a deal moves on (decision 0072). */
export const settlementFields = {
  /** The shop's part of a sale; the seller gets the rest. */
  FEE_PERCENT: between(0, 50, "percent").default(0),
  /** A laptop that is not handed over so long after its payment is refunded. */
  HANDOVER_DAYS: between(1, 60, "days").default(14),
  /** How long after the handover the buyer may say that something is wrong; never nothing, as the pages promise it. */
  COMPLAINT_HOURS: between(1, 720, "hours").default(72),
};

type SettlementFields = z.output<z.ZodObject<typeof settlementFields>>;

const hour = 3_600_000;
const day = 24 * hour;
/** Since the payment: the card provider keeps money no longer than 90 days for others. */
const latestDays = 85;

/** Refuses times after which money could still wait when it has to be moved. */
export function settlementProblems({ HANDOVER_DAYS, COMPLAINT_HOURS }: SettlementFields): string[] {
  const days = HANDOVER_DAYS + COMPLAINT_HOURS / 24 + complaintTerms.undecidedDays;
  if (days <= latestDays) return [];
  return [
    `HANDOVER_DAYS and COMPLAINT_HOURS must leave ${complaintTerms.undecidedDays} of ${latestDays} days for a complaint: the card provider keeps money no longer. Lower one of them.`,
  ];
}

/** Times in milliseconds. */
export function settlementTerms(set: SettlementFields) {
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
    /** Since the payment. */
    alarmMs: 75 * day,
    latestMs: latestDays * day,
    /** How long admins have to send on money that came back to a deal. */
    leftoverMs: 10 * day,
  };
}

export type SettlementTerms = ReturnType<typeof settlementTerms>;
