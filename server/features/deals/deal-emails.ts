import { afterPayment, beforePayment } from "#contract/deal-texts.ts";
import {
  type BookingEmail,
  type BookingFacts,
  type BookingMessage,
  paymentPage,
} from "./booking-email.ts";

const keepForNow =
  "It hasn't been paid for yet, so please keep it for now. We'll email you when it's paid for or back on sale.";
const keepLaptop =
  "If you still have the laptop, please keep it until then. Keep your messages with the buyer, too.";

export const holdEmails = {
  held: {
    kind: "hold",
    onlyWhile: ["held"],
    buyer: (facts) => ({
      name: "hold-started-buyer",
      text: `We're holding ${facts.aLaptop} for you for ${facts.timeLeft}. Pay ${facts.price} by card in that time. ${beforePayment.moneyIsKept}`,
      action: paymentPage("Pay now", facts),
      nextStep: beforePayment.holdIsFree,
    }),
    seller: ({ brand, price, timeLeft }) => ({
      name: "hold-started-seller",
      text: `A buyer has put your ${brand} laptop on hold for ${price}. They have ${timeLeft} to pay. See who they are and where they'd like to meet in My Products.`,
      nextStep: keepForNow,
    }),
  },
  agreed: {
    kind: "hold",
    onlyWhile: ["held"],
    buyer: (facts) => ({
      name: "offer-accepted-buyer",
      text: `You and the seller agreed on ${facts.price} for ${facts.aLaptop}, and we're holding it for you for ${facts.timeLeft}. Pay by card in that time. ${beforePayment.moneyIsKept}`,
      action: paymentPage("Pay now", facts),
      nextStep: beforePayment.holdIsFree,
    }),
    seller: ({ brand, price, timeLeft }) => ({
      name: "offer-accepted-seller",
      text: `You and a buyer agreed on ${price} for your ${brand} laptop, and it's on hold for them. They have ${timeLeft} to pay. See who they are and where they'd like to meet in My Products.`,
      nextStep: keepForNow,
    }),
  },
} satisfies Record<string, BookingEmail>;

const sold = ["paid", "completed"] as const;

const pickItUp = `${afterPayment.lookItOver} The code, their contact details and where you meet are in My Orders.`;
const bankDelay = "It may take your bank a few days to show it.";

export const bookingEmails = {
  expired: {
    kind: "hold",
    buyer: ({ aLaptop, categoryId }) => ({
      name: "hold-expired-buyer",
      text: `Your hold on ${aLaptop} expired before you paid, so you weren't charged. The laptop is back on sale: if you still want it, book it before someone else does.`,
      action: { label: "Find it again", path: `/categoryProducts/${categoryId}` },
      nextStep: "If you no longer want it, you don't need to do anything.",
    }),
    seller: backOnSale("expired"),
  },
  cancelled: {
    kind: "hold",
    buyer: ({ aLaptop }) => ({
      name: "hold-canceled-buyer",
      text: `Your hold on ${aLaptop} was canceled before you paid, so you weren't charged.`,
    }),
    seller: backOnSale("was canceled"),
  },
  paid: {
    onlyWhile: sold,
    buyer: (facts) => ({
      name: "payment-received-buyer",
      text: `We've received your payment of ${facts.price} for ${facts.aLaptop}.${facts.savings} ${beforePayment.moneyIsKept} Your transaction ID is ${facts.transactionId}.`,
      action: paymentPage("View your receipt", facts),
      nextStep: pickItUp,
    }),
    seller: laptopSold,
  },
  /** Sent if the payment arrived after the hold had ended, but the laptop was still available. */
  reclaimed: {
    onlyWhile: sold,
    buyer: (facts) => ({
      name: "payment-received-late-buyer",
      text: `Your payment of ${facts.price} for ${facts.aLaptop} arrived after your hold had ended. The laptop was still available, so it's yours. Your transaction ID is ${facts.transactionId}.`,
      action: paymentPage("View your receipt", facts),
      nextStep: pickItUp,
    }),
    seller: laptopSold,
  },
  handedOver: {
    buyer: ({ aLaptop, timeLeft }) => ({
      name: "handover-confirmed-buyer",
      text: `The seller entered the handover code that you showed them, so you now have ${aLaptop}. Try it out: we keep your money for another ${timeLeft} before the seller gets it.`,
      nextStep:
        "If it isn't as described, or you don't have it at all, tell us in My Orders before that.",
    }),
    seller: ({ brand, timeLeft }) => ({
      name: "handover-confirmed-seller",
      text: `The buyer has confirmed that they received your ${brand} laptop. They have ${timeLeft} to tell us if something is wrong with it. After that, we send you your money.`,
    }),
  },
  latePaymentRefunded: {
    buyer: ({ aLaptop, price }) => ({
      name: "refund-sent-buyer",
      text: `Your payment of ${price} for ${aLaptop} arrived too late: the laptop was no longer available. We've refunded your card. ${bankDelay}`,
    }),
  },
  /** For a payment that isn't the booking's own. */
  extraPaymentRefunded: {
    buyer: ({ aLaptop, price }) => ({
      name: "refund-sent-buyer",
      text: `We got an extra payment of ${price} for ${aLaptop}, so we've refunded it to your card. ${bankDelay}`,
    }),
  },
  saleCancelled: {
    seller: ({ brand, price }) => ({
      name: "sale-canceled-seller",
      text: `The sale of your ${brand} laptop was canceled, and we're refunding the buyer ${price}. The laptop is back on sale.`,
      nextStep: "Please don't hand it over to the buyer.",
    }),
  },
  refunded: {
    buyer: ({ aLaptop, price, creditBack }) => ({
      name: "refund-sent-buyer",
      text: `Your purchase of ${aLaptop} was canceled, and we've refunded ${price} to your card. ${bankDelay}${creditBack}`,
    }),
  },
  /** Sent if a full refund failed, so that an admin must send the money by other means. */
  refundFailed: {
    buyer: ({ aLaptop, price }) => ({
      name: "refund-failed-buyer",
      text: `We tried to refund ${price} for ${aLaptop} to your card, but it couldn't be paid in. The card may have expired or been closed.`,
      nextStep: "We'll get in touch about another way to send you the money.",
    }),
  },
  /** `price` is the part that the bank has not returned. */
  refundPartlyDisputed: {
    buyer: ({ aLaptop, price }) => ({
      name: "refund-owed-buyer",
      text: `Your purchase of ${aLaptop} was canceled. Your bank has already given you back a part of what you paid, so the other ${price} can't be refunded to your card.`,
      nextStep: "We'll get in touch about another way to send you the money.",
    }),
  },
  /** In an inquiry, unlike in a dispute, the bank has taken no money back. */
  inquiryOpened: {
    seller: ({ brand, price }) => ({
      name: "bank-inquiry-seller",
      text: `The buyer's bank is asking about the card payment of ${price} for your ${brand} laptop. No money was taken back. We'll answer the bank or refund the buyer, and tell you how it ends. Your payout waits until then.`,
      nextStep: keepLaptop,
    }),
  },
  disputeOpened: {
    seller: ({ brand, price }) => ({
      name: "dispute-opened-seller",
      text: `The buyer's bank has questioned the card payment of ${price} for your ${brand} laptop. It can take weeks until the bank decides. We'll answer the bank, and tell you what it says.`,
      nextStep: keepLaptop,
    }),
  },
  disputeWon: {
    onlyWhile: sold,
    seller: ({ brand, price }) => ({
      name: "dispute-won-seller",
      text: `The buyer's bank had questioned the card payment of ${price} for your ${brand} laptop. It has now decided that the payment stands.`,
      nextStep: "If you still have the laptop, you can hand it over now.",
    }),
  },
  disputeLost: {
    seller: ({ brand, price }) => ({
      name: "dispute-lost-seller",
      text: `The buyer's bank had questioned the card payment of ${price} for your ${brand} laptop. It has now decided to give the money back to the buyer.`,
      nextStep:
        "If you still have the laptop, please don't hand it over. My Products shows whether it is back on sale.",
    }),
  },
  /** Sent if a partial refund failed, so that an admin must send `price` by other means. */
  partRefundFailed: {
    buyer: ({ aLaptop, price }) => ({
      name: "partial-refund-failed-buyer",
      text: `We've tried to refund ${price} of what you paid for ${aLaptop} to your card, but that didn't work. The card may have expired or been closed.`,
      nextStep:
        "We'll get in touch about another way to send you the money. It stays yours until then.",
    }),
  },
} satisfies Record<string, BookingEmail>;

function laptopSold({ brand, price }: BookingFacts): BookingMessage {
  return {
    name: "payment-received-seller",
    text: `Your ${brand} laptop is sold for ${price}. See who bought it and how to reach them in My Products.`,
    nextStep: afterPayment.handItOver,
  };
}

function backOnSale(ended: string) {
  return ({ brand }: BookingFacts): BookingMessage => ({
    name: "hold-ended-seller",
    text: `The hold on your ${brand} laptop ${ended} before it was paid for. It's back on sale.`,
  });
}
