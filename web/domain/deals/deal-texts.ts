import type { Meeting } from "#contract/meetings.ts";
import type { PartRefund } from "#contract/money.ts";
import { formatPrice } from "#contract/price.ts";
import { formatDate, formatDateTime } from "../../ui/format.ts";

const failures = {
  buyer: "to your card. We'll get in touch about another way to send it.",
  seller: "to the buyer's card. We'll send it in another way.",
};

/** The status of a partial refund, worded for one side. */
export function partRefundText(part: PartRefund, reader: keyof typeof failures): string {
  const owed = formatPrice(part.owed);
  const texts = [
    part.refunded > 0 && `${formatPrice(part.refunded)} refunded.`,
    part.owed > 0 && !part.failed && `We're refunding ${owed} of the price.`,
    part.failed && `We couldn't refund ${owed} of the price ${failures[reader]}`,
  ];
  return texts.filter(Boolean).join(" ");
}

/**
 * Tells an admin what to do about an inquiry from the buyer's bank. `respondBy` is null once the
 * bank has an answer.
 */
export function inquiryText(respondBy: string | null): string {
  const answer =
    respondBy === null
      ? ". The bank has an answer."
      : `, or answer it at the card provider by ${formatDate(respondBy)}.`;
  return `The buyer's bank asks about this payment. Refund it to avoid a dispute${answer}`;
}

/** The agreed or proposed meeting time, in the reader's time zone. */
export function meetingText({ state, by, startsAt }: Meeting, reader: Meeting["by"]): string {
  const time = formatDateTime(startsAt);
  if (state === "agreed") return `You meet on ${time}.`;
  if (by === reader) return `You proposed ${time}. It isn't accepted yet.`;
  return `The ${by} proposes ${time}. Please answer.`;
}
