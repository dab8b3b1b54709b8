import { beforePayment } from "#contract/deal-texts.ts";
import {
  type BookingEmail,
  myOrders,
  myProducts,
  nothingToDo,
  paymentPage,
} from "../booking-lifecycle/booking-email.ts";

/** A hold begins, and the laptop changes hands. */
export const holdEmails = {
  held: {
    kind: "hold",
    onlyWhile: ["held"],
    buyer: (facts) => ({
      subject: `Your hold on ${facts.aLaptop}`,
      text: `We're holding ${facts.aLaptop} for you for ${facts.timeLeft}. Pay ${facts.price} by card in that time. ${beforePayment.moneyIsKept}`,
      action: paymentPage("Pay now", facts),
      nextStep: beforePayment.holdIsFree,
    }),
    seller: ({ brand, price, timeLeft }) => ({
      subject: `Your ${brand} laptop is on hold`,
      text: `A buyer has put your ${brand} laptop on hold for ${price}. They have ${timeLeft} to pay. See who they are and where they'd like to meet in My Products.`,
      action: myProducts,
      nextStep:
        "It hasn't been paid for yet, so please keep it for now. We'll email you when it's paid for or back on sale.",
    }),
  },
  /** The hold of an accepted offer. */
  agreed: {
    kind: "hold",
    onlyWhile: ["held"],
    buyer: (facts) => ({
      subject: `You agreed on ${facts.price} for ${facts.aLaptop}`,
      text: `You and the seller agreed on ${facts.price} for ${facts.aLaptop}, and we're holding it for you for ${facts.timeLeft}. Pay by card in that time. ${beforePayment.moneyIsKept}`,
      action: paymentPage("Pay now", facts),
      nextStep: beforePayment.holdIsFree,
    }),
    seller: ({ brand, price, timeLeft }) => ({
      subject: `You agreed on ${price} for your ${brand} laptop`,
      text: `You and a buyer agreed on ${price} for your ${brand} laptop, and it's on hold for them. They have ${timeLeft} to pay. See who they are and where they'd like to meet in My Products.`,
      action: myProducts,
      nextStep:
        "It hasn't been paid for yet, so please keep it for now. We'll email you when it's paid for or back on sale.",
    }),
  },
  /** The other party has confirmed the handover. */
  handedOver: {
    kind: "payment",
    buyer: ({ aLaptop, timeLeft }) => ({
      subject: `You've received ${aLaptop}`,
      text: `The seller entered the handover code that you showed them, so you now have ${aLaptop}. Try it out: we keep your money for another ${timeLeft} before the seller gets it.`,
      action: myOrders,
      nextStep:
        "If it isn't as described, or you don't have it at all, press Something is wrong in My Orders before that.",
    }),
    seller: ({ brand, timeLeft }) => ({
      subject: `The buyer has your ${brand} laptop`,
      text: `The buyer has confirmed that they received your ${brand} laptop. They have ${timeLeft} to tell us if something is wrong with it. After that, we send you your money.`,
      action: myProducts,
      nextStep: nothingToDo,
    }),
  },
} satisfies Record<string, BookingEmail>;
