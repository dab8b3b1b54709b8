import { complaintTerms } from "#contract/complaint-terms.ts";
import type { BookingEmail, BookingFacts } from "./booking-email.ts";
import { waitingMoneyEmails } from "./waiting-money-emails.ts";

const myOrders = { label: "View My Orders", path: "/dashboard" };
const myProducts = { label: "View My Products", path: "/dashboard/myProducts" };
const complaintPage = (label: string, { bookingId }: BookingFacts) => ({
  label,
  path: `/dashboard/complaint/${bookingId}`,
});
const undecided = `${complaintTerms.undecidedDays} days after the complaint`;
const payouts = { label: "View my payouts", path: "/dashboard/payouts" };

/** The emails about a deal's money after the payment (decision 0072); rules as for `bookingEmails`. */
export const settlementEmails = {
  ...waitingMoneyEmails,
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
  /** The buyer says that something is wrong. */
  complaint: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `We have your complaint about ${facts.aLaptop}`,
      text: `You told us that something is wrong with ${facts.aLaptop}. We keep the money, and the seller has ${facts.timeLeft} to answer: they can refund you, offer you a part, or say why they disagree.`,
      action: complaintPage("View the complaint", facts),
      nextStep: `If they don't answer, one of our admins decides. If nobody has decided ${undecided}, you get all of your money back.`,
    }),
    seller: (facts) => ({
      subject: `The buyer says something is wrong with your ${facts.brand} laptop`,
      text: `The buyer of your ${facts.brand} laptop says that something is wrong with it. Please answer within ${facts.timeLeft}: refund them, offer to refund a part, or say why you disagree. Until that is settled, we keep the money.`,
      action: complaintPage("Answer", facts),
      nextStep: `If you don't answer, one of our admins decides without you. If nobody has decided ${undecided}, the buyer gets all of their money back.`,
    }),
  },
  /** The seller's time to answer is nearly over. */
  complaintReminder: {
    kind: "payment",
    seller: (facts) => ({
      subject: `Answer the complaint about your ${facts.brand} laptop`,
      text: `The buyer of your ${facts.brand} laptop says that something is wrong with it, and you haven't answered yet. You have ${facts.timeLeft} left. Refund them, offer to refund a part, or say why you disagree.`,
      action: complaintPage("Answer", facts),
      nextStep: "If you don't answer, one of our admins decides without you.",
    }),
  },
  /** The seller has not answered, or the buyer has not accepted an offer. */
  complaintForAdmins: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `We're looking into your complaint`,
      text: `You told us that something is wrong with ${facts.aLaptop}. You and the seller haven't settled it, so one of our admins looks into it and decides within ${complaintTerms.decisionDays} days.`,
      action: complaintPage("View the complaint", facts),
      nextStep: `We keep the money until then. If nobody has decided ${undecided}, you get all of it back.`,
    }),
    seller: (facts) => ({
      subject: `We're looking into the complaint about your ${facts.brand} laptop`,
      text: `You and the buyer of your ${facts.brand} laptop haven't settled the complaint, so one of our admins looks into it and decides within ${complaintTerms.decisionDays} days. Until then you can still answer or change your offer.`,
      action: complaintPage("View the complaint", facts),
      nextStep: `If nobody has decided ${undecided}, the buyer gets all of their money back.`,
    }),
  },
  /** The seller offers to refund a part; `price` is the part. */
  complaintOffer: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `The seller offers you ${facts.price} back`,
      text: `You told us that something is wrong with ${facts.aLaptop}. The seller offers to give you ${facts.price} back, and you keep the laptop.`,
      action: complaintPage("View the offer", facts),
      nextStep: `If you don't accept it within ${complaintTerms.answerHours} hours, one of our admins decides.`,
    }),
  },
  complaintDisagreed: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `The seller sees it differently`,
      text: `You told us that something is wrong with ${facts.aLaptop}. The seller disagrees, so one of our admins looks into it and decides within ${complaintTerms.decisionDays} days.`,
      action: complaintPage("Read the answer", facts),
      nextStep: `You don't need to do anything. We keep the money until then. If nobody has decided ${undecided}, you get all of it back.`,
    }),
  },
  complaintRefunded: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `You get your ${facts.price} back`,
      text: `Your complaint about ${facts.aLaptop} is settled: you get all of your ${facts.price} back.`,
      action: complaintPage("View the decision", facts),
      nextStep: "Please give the laptop back to the seller.",
    }),
    seller: (facts) => ({
      subject: `The buyer of your ${facts.brand} laptop gets a refund`,
      text: `The complaint about your ${facts.brand} laptop is settled: the buyer gets all of their ${facts.price} back.`,
      action: complaintPage("View the decision", facts),
      nextStep: "Ask the buyer when they can give you the laptop back.",
    }),
  },
  /** `price` is the part. */
  complaintPartlyRefunded: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `You get ${facts.price} back`,
      text: `Your complaint about ${facts.aLaptop} is settled: you get ${facts.price} back to your card, and you keep the laptop. It may take your bank a few days to show it.`,
      action: complaintPage("View the decision", facts),
      nextStep: "You don't need to do anything.",
    }),
    seller: (facts) => ({
      subject: `The buyer of your ${facts.brand} laptop gets ${facts.price} back`,
      text: `The complaint about your ${facts.brand} laptop is settled: the buyer gets ${facts.price} back, and you get the rest.`,
      action: complaintPage("View the decision", facts),
      nextStep: "You don't need to do anything.",
    }),
  },
  /** The part couldn't be refunded; an admin finds another way. `price` is the part. */
  partialRefundFailed: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `We couldn't refund ${facts.price} to your card`,
      text: `Your complaint about ${facts.aLaptop} is settled, and you get ${facts.price} back. We've tried to refund it to your card, but that didn't work. The card may have expired or been closed.`,
      action: complaintPage("View the decision", facts),
      nextStep:
        "We'll get in touch about another way to send you the money. It stays yours until then.",
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
  /** The same without a complaint. */
  partRefundFailed: {
    kind: "payment",
    buyer: ({ aLaptop, price }) => ({
      subject: `We couldn't refund ${price} to your card`,
      text: `We've tried to refund ${price} of what you paid for ${aLaptop} to your card, but that didn't work. The card may have expired or been closed.`,
      action: myOrders,
      nextStep:
        "We'll get in touch about another way to send you the money. It stays yours until then.",
    }),
  },
  /** The buyer had all of their money from their bank, or by a refund at the provider, before the decision. */
  complaintPaidBack: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `Your complaint is closed`,
      text: `Your complaint about ${facts.aLaptop} is closed: all of the ${facts.price} that you paid is back with you, from your bank or by a refund to your card.${facts.creditBack}`,
      action: complaintPage("View the decision", facts),
      nextStep: "If you still have the laptop, please give it back to the seller.",
    }),
    seller: (facts) => ({
      subject: `The complaint about your ${facts.brand} laptop is closed`,
      text: `The complaint about your ${facts.brand} laptop is closed. The buyer has all of their money back, from their bank or by a refund, so there is nothing left to send you.`,
      action: complaintPage("View the decision", facts),
      nextStep: "If the buyer still has the laptop, ask them when they can give it back to you.",
    }),
  },
  complaintRejected: {
    kind: "payment",
    buyer: (facts) => ({
      subject: `Your complaint is closed`,
      text: `Your complaint about ${facts.aLaptop} is closed without a refund, and the seller gets the money.`,
      action: complaintPage("View the decision", facts),
      nextStep: "If you think that is a mistake, write to our support team.",
    }),
    seller: (facts) => ({
      subject: `The complaint about your ${facts.brand} laptop is closed`,
      text: `The complaint about your ${facts.brand} laptop is closed without a refund. The money is yours.`,
      action: payouts,
      nextStep: "You don't need to do anything.",
    }),
  },
} satisfies Record<string, BookingEmail>;
