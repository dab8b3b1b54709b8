import type { BookingEmail, BookingFacts, BookingMessage } from "./booking-email.ts";

const myOrders = { label: "View My Orders", path: "/dashboard" };
const payouts = { label: "View my payouts", path: "/dashboard/payouts" };
const contact = { label: "Contact us", path: "/contact" };
const nothingToDo = "You don't need to do anything.";
const asPaid = "wasn't paid by card, so it goes back as the credit or discount it was paid with.";
const unreachable =
  "Either you haven't connected a bank account, or our card provider can't send money to it, or your account with us is suspended.";

function unclaimedRest({ brand, price }: BookingFacts): BookingMessage {
  return {
    subject: `${price} for your ${brand} laptop went back to the buyer`,
    text: `We couldn't send you the rest of the money for your ${brand} laptop. ${unreachable} We may not keep it any longer, so ${price} goes back to the buyer.`,
    action: payouts,
    nextStep: "If you think that is a mistake, write to our support team.",
  };
}

/** The emails about money that waits for the seller, or goes back because nobody could be paid; rules as for `bookingEmails`. */
export const waitingMoneyEmails = {
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
