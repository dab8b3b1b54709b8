import { formatPrice, toDollars } from "#contract/price.ts";
import type { EmailContent } from "../../adapters/mail/port.ts";
import { formatDay } from "./format-day.ts";

type Recipient = { name: string; email: string };

/** The seller's bank has sent a payout back. */
export function payoutFailedEmail(
  seller: Recipient,
  { price, url }: { price: string; url: string },
): EmailContent {
  return {
    to: seller.email,
    subject: `Your bank sent back ${price}`,
    paragraphs: [
      `Hi ${seller.name},`,
      `We sent ${price} to your bank account, but your bank sent it back. The account may have been closed, or its number may be wrong. Your money is safe, and goes out again once you've told us which bank account to use.`,
    ],
    action: { label: "Change my bank account", url },
  };
}

/** Money of a deal has been held for long. */
export function oldMoneyEmail(
  admin: Recipient,
  { price, moveBy, url }: { price: string; moveBy: Date; url: string },
): EmailContent {
  const day = formatDay(moveBy);
  return {
    to: admin.email,
    subject: `Pay out or refund ${price} by ${day}`,
    paragraphs: [
      `Hi ${admin.name},`,
      `We have held ${price} of a sale for more than ten weeks. The card provider keeps money for others for 90 days only, so please see to it by ${day}. If the buyer is owed it, refund it. If the seller is owed it and has no bank account yet, ask them once more to connect one; if they still don't, the buyer is refunded on that day. If a part was refunded before, please refund the rest in Stripe yourself.`,
    ],
    action: { label: "View the payment", url },
  };
}

/** A refund of a part could not be made. */
export function refundToSendEmail(
  admin: Recipient,
  { cents, url }: { cents: number; url: string },
): EmailContent {
  const price = formatPrice(toDollars(cents));
  return {
    to: admin.email,
    subject: `A ${price} refund failed: please send it another way`,
    paragraphs: [
      `Hi ${admin.name},`,
      `The buyer is to get ${price} back, but the money couldn't be refunded to their card. Ask the buyer how else you can send it, send it, and press Sent another way in Payments. Or try the refund again there.`,
    ],
    action: { label: "View the payment", url },
  };
}

/** A deal that was settled has money again. */
export function leftoverEmail(
  admin: Recipient,
  { price, url }: { price: string; url: string },
): EmailContent {
  return {
    to: admin.email,
    subject: `${price} came back to a sale that was settled`,
    paragraphs: [
      `Hi ${admin.name},`,
      `We hold ${price} of a sale that was already settled: a refund was sent back, a bank changed its decision, or a transfer to the seller was reversed. Nobody gets it unless you send it. Look at what happened to the payment, then send the money to the buyer or the seller at the card provider.`,
    ],
    action: { label: "View the payment", url },
  };
}
