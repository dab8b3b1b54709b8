import type { EmailMessage } from "../../email/email.ts";
import { type BookingEmail, payouts } from "../deals/booking-email.ts";

/** Emails about the handover deadline, leftover money and payouts. */
export const settlementEmails = {
  handoverDue: {
    onlyWhile: ["paid"],
    buyer: ({ aLaptop, timeLeft, price }) => ({
      name: "handover-reminder-buyer",
      text: `You've paid for ${aLaptop}, and nobody has told us yet that you have it. If it isn't handed over within ${timeLeft}, we'll cancel the purchase and refund you ${price} in full.`,
      nextStep: "If you have it, press “I have it” in My Orders, or show the seller your code.",
    }),
    seller: ({ brand, timeLeft }) => ({
      name: "handover-reminder-seller",
      text: `The buyer has paid for your ${brand} laptop, and nobody has told us yet that they have it. If it isn't handed over within ${timeLeft}, we'll cancel the sale and refund the buyer.`,
      nextStep:
        "If the buyer has it, enter the code they show you, or ask them to confirm it in My Orders.",
    }),
  },
  notHandedOver: {
    buyer: ({ aLaptop, price }) => ({
      name: "handover-missed-buyer",
      text: `You paid for ${aLaptop}, but it wasn't handed over in time. We've canceled the purchase, and we're refunding ${price} to your card.`,
      nextStep:
        "If you do have the laptop, please tell us. We'll find another way to pay the seller.",
    }),
    seller: ({ brand, price }) => ({
      name: "sale-canceled-seller",
      text: `Your ${brand} laptop was paid for, but it wasn't handed over in time. We've canceled the sale, and we're refunding the buyer ${price}. The laptop is back on sale.`,
      nextStep:
        "Please don't hand it over to the buyer. If they already have it, write to our support team at once.",
    }),
  },
  /** An admin gives the buyer leftover money. The buyer's `price` is what goes to the card. */
  returned: {
    buyer: ({ aLaptop, price, toCard, creditBack, reason }) => ({
      name: toCard ? "leftover-refunded-buyer" : "leftover-credited-buyer",
      text: toCard
        ? `We're refunding ${price} of what you paid for ${aLaptop} to your card. It may take your bank a few days to show it.${creditBack}${reason}`
        : `Some of the price of ${aLaptop} wasn't paid by card. It goes back as the credit or discount it was paid with.${creditBack}${reason}`,
    }),
    seller: ({ brand, price, reason }) => ({
      name: "leftover-refunded-seller",
      text: `We couldn't send you ${price} for your ${brand} laptop, so we've given it back to the buyer.${reason}`,
      action: payouts,
      nextStep: "If you think that is a mistake, write to our support team.",
    }),
  },
  /** `price`: the seller's share. */
  accountNeeded: {
    seller: ({ brand, price }) => ({
      name: "bank-account-needed",
      text: `Your ${brand} laptop is sold and handed over, and ${price} of the price is yours. Tell us which bank account to send it to. It takes a few minutes, and we keep your money until then.`,
      action: { ...payouts, label: "Connect my bank account" },
      nextStep:
        "We send money only through our card provider, and never ask for your bank details by email.",
    }),
  },
  moneySent: {
    seller: ({ brand, price }) => ({
      name: "payout-sent",
      text: `We've sent you ${price} for your ${brand} laptop. It takes a few days until it's in your bank account.`,
      action: payouts,
    }),
  },
  /** The seller's debts from other deals used up all of the money. */
  moneySetOff: {
    seller: ({ brand, price }) => ({
      name: "payout-set-off",
      text: `Your ${brand} laptop is sold. You owed us money from an earlier sale that we refunded after we had paid you, so we kept the ${price} for it.`,
      action: payouts,
    }),
  },
} satisfies Record<string, BookingEmail>;

export function payoutFailedEmail({ price, url }: { price: string; url: string }): EmailMessage {
  return {
    name: "payout-failed",
    values: { price },
    paragraphs: [
      `We sent ${price} to your bank account, but your bank sent it back. The account may have been closed, or its number may be wrong. Your money is safe, and goes out again once you've told us which bank account to use.`,
    ],
    action: { label: "Change my bank account", url },
  };
}
