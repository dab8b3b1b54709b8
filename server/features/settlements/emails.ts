import type { EmailContent } from "../../email/email-queue.ts";
import {
  type BookingEmail,
  type BookingFacts,
  type BookingMessage,
  myOrders,
  myProducts,
  nothingToDo,
  payouts,
} from "../booking-lifecycle/booking-email.ts";

const contact = { label: "Contact us", path: "/contact" };
const asPaid = "wasn't paid by card, so it goes back as the credit or discount it was paid with.";
const unreachable =
  "Either you haven't connected a bank account, or our card provider can't send money to it, or your account with us is suspended.";

/** The emails about a deal's money after the payment (decision 0072). */
export const settlementEmails = {
  /** It is paid, and should be handed over. */
  handoverDue: {
    kind: "payment",
    onlyWhile: ["paid"],
    buyer: ({ aLaptop, timeLeft, price }) => ({
      subject: `Have you picked up ${aLaptop}?`,
      text: `You've paid for ${aLaptop}, and nobody has told us yet that you have it. If it isn't handed over within ${timeLeft}, we'll cancel the purchase and refund you ${price} in full.`,
      action: myOrders,
      nextStep: "If you have it, press “I have it” in My Orders, or show the seller your code.",
    }),
    seller: ({ brand, timeLeft }) => ({
      subject: `Have you handed over your ${brand} laptop?`,
      text: `The buyer has paid for your ${brand} laptop, and nobody has told us yet that they have it. If it isn't handed over within ${timeLeft}, we'll cancel the sale and refund the buyer.`,
      action: myProducts,
      nextStep:
        "If the buyer has it, enter the code they show you, or ask them to confirm it in My Orders.",
    }),
  },
  notHandedOver: {
    kind: "payment",
    buyer: ({ aLaptop, price }) => ({
      subject: `We're refunding you ${price}`,
      text: `You paid for ${aLaptop}, but it wasn't handed over in time. We've cancelled the purchase, and we're refunding ${price} to your card.`,
      action: myOrders,
      nextStep:
        "If you do have the laptop, please tell us. We'll find another way to pay the seller.",
    }),
    seller: ({ brand, price }) => ({
      subject: `The sale of your ${brand} laptop was cancelled`,
      text: `Your ${brand} laptop was paid for, but it wasn't handed over in time. We've cancelled the sale, and we're refunding the buyer ${price}. The laptop is back on sale.`,
      action: myProducts,
      nextStep:
        "Please don't hand it over to the buyer. If they already have it, write to our support team at once.",
    }),
  },
  /** The buyer gets money that came back after the deal was settled, from an admin or on the last day. */
  partRefunded: {
    kind: "payment",
    buyer: ({ aLaptop, price, creditBack }) => ({
      subject: `You get ${price} back`,
      text: `We're refunding ${price} of what you paid for ${aLaptop} to your card. It may take your bank a few days to show it.${creditBack}`,
      action: myOrders,
      nextStep: "You don't need to do anything.",
    }),
  },
  /** The money is the seller's, and they have no account for it; `price` is their part. */
  accountNeeded: {
    kind: "payment",
    seller: ({ brand, price }) => ({
      subject: `Where should we send your ${price}?`,
      text: `Your ${brand} laptop is sold and handed over, and ${price} of the price is yours. Tell us which bank account to send it to. It takes a few minutes, and we keep your money until then.`,
      action: { ...payouts, label: "Connect my bank account" },
      nextStep:
        "We send money only through our card provider, and never ask for your bank details by email.",
    }),
  },
  /** The shop may not keep the money much longer. */
  lastCallForAccount: {
    kind: "payment",
    seller: ({ brand, timeLeft }) => ({
      subject: `Connect your bank account within ${timeLeft}`,
      text: `The money for your ${brand} laptop has waited for you for more than ten weeks. We may not keep it any longer: if we don't know where to send it within ${timeLeft}, the buyer gets it back.`,
      action: { ...payouts, label: "Connect my bank account" },
      nextStep: "It takes a few minutes.",
    }),
  },
  /** The same for a seller who can't be paid before an admin lets them back in. */
  lastCallWhileSuspended: {
    kind: "payment",
    seller: ({ brand, timeLeft }) => ({
      subject: `We can't send you the money for your ${brand} laptop`,
      text: `The money for your ${brand} laptop has waited for you for more than ten weeks, and your account with us is suspended now. We may not keep it any longer: if your account is still suspended in ${timeLeft}, the buyer gets it back.`,
      action: contact,
      nextStep:
        "If you think that the suspension is a mistake, write to our support team before then.",
    }),
  },
  /** The same for one who has no account for it either. */
  lastCallWithoutAccount: {
    kind: "payment",
    seller: ({ brand, timeLeft }) => ({
      subject: `We can't send you the money for your ${brand} laptop`,
      text: `The money for your ${brand} laptop has waited for you for more than ten weeks. You haven't connected a bank account that can receive it, and your account with us is suspended now. We may not keep the money any longer: the buyer gets it back unless, within ${timeLeft}, we've let you back in and you've connected a bank account.`,
      action: contact,
      nextStep:
        "If you think that the suspension is a mistake, write to our support team soon. Once you're back in, connect your bank account under Payouts.",
    }),
  },
  unclaimedMoney: {
    kind: "payment",
    buyer: ({ aLaptop, price }) => ({
      subject: `We're refunding you ${price}`,
      text: `You paid ${price} for ${aLaptop}. We couldn't send the seller their money, and we may not keep it any longer. So we're refunding it to your card.`,
      action: myOrders,
      nextStep: nothingToDo,
    }),
    seller: ({ brand }) => ({
      subject: `The money for your ${brand} laptop went back to the buyer`,
      text: `We couldn't send you the money for your ${brand} laptop. ${unreachable} We may not keep it for more than 85 days, so the buyer gets their money back.`,
      action: payouts,
      nextStep: "If you think that is a mistake, write to our support team.",
    }),
  },
  /** The same, after a part went back before; `price` is the rest. */
  unclaimedRest: {
    kind: "payment",
    buyer: ({ aLaptop, price, creditBack }) => ({
      subject: `We're refunding you ${price}`,
      text: `We couldn't send the seller ${price} of what you paid for ${aLaptop}, and we may not keep it any longer. So we're refunding it to your card.${creditBack}`,
      action: myOrders,
      nextStep: nothingToDo,
    }),
    seller: unclaimedRest,
  },
  /** The same of what the card has not paid. */
  unclaimedCredit: {
    kind: "payment",
    buyer: ({ aLaptop, creditBack }) => ({
      subject: `Some of the price of ${aLaptop} goes back`,
      text: `We couldn't send the seller all of the money for ${aLaptop}, and we may not keep it any longer. What is left ${asPaid}${creditBack}`,
      action: myOrders,
      nextStep: nothingToDo,
    }),
    seller: unclaimedRest,
  },
  /** Of money that came back after the deal was settled, what the card has not paid. */
  creditReturned: {
    kind: "payment",
    buyer: ({ aLaptop, creditBack }) => ({
      subject: `Some of the price of ${aLaptop} goes back`,
      text: `Some of the price of ${aLaptop} came back to us after the sale was settled. It ${asPaid}${creditBack}`,
      action: myOrders,
      nextStep: nothingToDo,
    }),
  },
  moneySent: {
    kind: "payment",
    seller: ({ brand, price }) => ({
      subject: `Your ${price} is on its way`,
      text: `We've sent you ${price} for your ${brand} laptop. It takes a few days until it's in your bank account.`,
      action: payouts,
      nextStep: nothingToDo,
    }),
  },
  /** What the seller owed for another deal was kept, and nothing is left. */
  moneySetOff: {
    kind: "payment",
    seller: ({ brand, price }) => ({
      subject: `Your ${price} covered what you owed us`,
      text: `Your ${brand} laptop is sold. You owed us money from an earlier sale that we refunded after we had paid you, so we kept the ${price} for it.`,
      action: payouts,
      nextStep: nothingToDo,
    }),
  },
} satisfies Record<string, BookingEmail>;

function unclaimedRest({ brand, price }: BookingFacts): BookingMessage {
  return {
    subject: `${price} for your ${brand} laptop went back to the buyer`,
    text: `We couldn't send you the rest of the money for your ${brand} laptop. ${unreachable} We may not keep it any longer, so ${price} goes back to the buyer.`,
    action: payouts,
    nextStep: "If you think that is a mistake, write to our support team.",
  };
}

/** The seller's bank has sent a payout back. */
export function payoutFailedEmail(
  seller: { name: string; email: string },
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
    actionAfter: 2,
  };
}
