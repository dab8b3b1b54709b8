import { formatDate } from "../../ui/format.ts";

/**
 * Explains to an admin how to handle an inquiry from the buyer's bank. `respondBy` is null once the
 * inquiry has been answered.
 */
export function inquiryText(respondBy: string | null): string {
  const answer =
    respondBy === null
      ? ". The bank has an answer."
      : `, or answer it at the card provider by ${formatDate(respondBy)}.`;
  return `The buyer's bank asks about this payment. Refund it to avoid a dispute${answer}`;
}
