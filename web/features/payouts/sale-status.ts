import type { Payout, Sale } from "#contract/payouts.ts";
import { formatPrice } from "#contract/price.ts";
import { partRefundText } from "#web/domain/deals/payment-texts.ts";
import { formatLocalDay, formatShortDay } from "#web/ui/format-dates-and-counts.ts";

/** The amount that the seller received or is due, including any part kept for a debt. */
export function amountOf({ price, fee, refunded, returned, lost, ...sale }: Sale): number {
  const { state, sent, sentAt, keptForDebt, partRefund } = sale;
  const isSettled = state === "refunded" || (state === "released" && sentAt !== null);
  if (isSettled || state === "refunding") return sent + keptForDebt;
  return Math.max(0, price - fee - refunded - (partRefund?.owed ?? 0) - returned - lost);
}

export function saleStatus(sale: Sale): string {
  const { partRefund } = sale;
  return partRefund ? `${partRefundText(partRefund, "seller")} ${statusOf(sale)}` : statusOf(sale);
}

function statusOf(sale: Sale): string {
  const { state, releaseAt, sent, sentAt, keptForDebt, disputed, lost, price } = sale;
  if (disputed && state !== "released" && state !== "refunded")
    return "On hold: the buyer's bank has questioned the payment.";
  if (lost >= price && state !== "released" && state !== "refunded")
    return "The buyer's bank took the payment back.";
  switch (state) {
    case "held":
      return "Waiting for the handover.";
    case "complaint_window":
      return releaseAt
        ? `Handed over. Yours on ${formatLocalDay(releaseAt)}, unless the buyer says something is wrong.`
        : "Handed over.";
    case "complaint":
      return sale.returnBy
        ? "Refunded to the buyer once you have the laptop back."
        : "On hold: the buyer says something is wrong.";
    case "releasing":
      return sale.inReview
        ? "On hold: we're checking the buyer's invitation discount. You don't need to do anything."
        : `${sale.partRefund ? "The rest is yours" : "Yours"}. Waiting to be sent.`;
    case "released":
      return [
        sentAt
          ? `Sent on ${formatLocalDay(sentAt)}${sent > 0 ? "" : ", and taken back since"}.`
          : "",
        keptForDebt > 0 ? `${formatPrice(keptForDebt)} kept for an earlier refund.` : "",
      ]
        .filter(Boolean)
        .join(" ");
    case "refunding":
      return "Being refunded to the buyer.";
    case "refunded":
      return "Refunded to the buyer.";
  }
}

export function payoutStatus({ state, arrivesAt }: Payout): string {
  // The card provider gives the day as its midnight in UTC.
  const day = formatShortDay(arrivesAt);
  switch (state) {
    case "pending":
    case "in_transit":
      return `On its way, about ${day}`;
    case "paid":
      return `Arrived ${day}`;
    case "failed":
      return "Your bank sent it back. Change your bank account, and it goes out again.";
    case "cancelled":
      return "Canceled. The money is sent with a later one.";
  }
}
