import { complaintTerms } from "#contract/deal-texts.ts";
import type { EmailMessage } from "../../email/email.ts";
import { formatDay } from "../../email/email-phrases.ts";
import { type BookingEmail, complaintPage, handoverPage, payouts } from "../deals/booking-email.ts";

const undecided = `${complaintTerms.undecidedDays} days after the complaint`;

const buyerGets = "you get all of your money back once the seller has the laptop.";
const buyerIsPaid = "the buyer gets all of their money back once the seller has the laptop.";

export const complaintEmails = {
  opened: {
    buyer: (facts) => ({
      name: "complaint-opened-buyer",
      text: `You told us that something is wrong with ${facts.aLaptop}. We keep the money, and the seller has ${facts.timeLeft} to answer: they can refund you, offer you a part, or say why they disagree.`,
      action: complaintPage("View the complaint", facts),
      nextStep: `If they don't answer, one of our admins decides. If nobody has decided ${undecided}, ${buyerGets}`,
    }),
    seller: (facts) => ({
      name: "complaint-opened-seller",
      text: `The buyer of your ${facts.brand} laptop says that something is wrong with it. Please answer within ${facts.timeLeft}: refund them, offer to refund a part, or say why you disagree. Until that is settled, we keep the money.`,
      action: complaintPage("Answer", facts),
      nextStep: `If you don't answer, one of our admins decides without you. If nobody has decided ${undecided}, ${buyerIsPaid}`,
    }),
  },
  reminder: {
    seller: (facts) => ({
      name: "complaint-reminder-seller",
      text: `The buyer of your ${facts.brand} laptop says that something is wrong with it, and you haven't answered yet. You have ${facts.timeLeft} left. Refund them, offer to refund a part, or say why you disagree.`,
      action: complaintPage("Answer", facts),
      nextStep: "If you don't answer, one of our admins decides without you.",
    }),
  },
  /** Sent if the seller hasn't answered in time, or the buyer hasn't accepted an offer in time. */
  forAdmins: {
    buyer: (facts) => ({
      name: "complaint-escalated-buyer",
      text: `You told us that something is wrong with ${facts.aLaptop}. You and the seller haven't settled it, so one of our admins looks into it and decides within ${complaintTerms.decisionDays} days.`,
      action: complaintPage("View the complaint", facts),
      nextStep: `We keep the money until then. If nobody has decided ${undecided}, ${buyerGets}`,
    }),
    seller: (facts) => ({
      name: "complaint-escalated-seller",
      text: `You and the buyer of your ${facts.brand} laptop haven't settled the complaint, so one of our admins looks into it and decides within ${complaintTerms.decisionDays} days. Until then you can still answer or change your offer.`,
      action: complaintPage("View the complaint", facts),
      nextStep: `If nobody has decided ${undecided}, ${buyerIsPaid}`,
    }),
  },
  /** `price` is the offered amount, or the card payment if that is less. */
  offer: {
    buyer: (facts) => ({
      name: "complaint-offer-buyer",
      text: `You told us that something is wrong with ${facts.aLaptop}. The seller offers to give you ${facts.price} back, and you keep the laptop.`,
      action: complaintPage("View the offer", facts),
      nextStep: `If you don't accept it within ${complaintTerms.answerHours} hours, one of our admins decides.`,
    }),
  },
  disagreed: {
    buyer: (facts) => ({
      name: "complaint-disputed-buyer",
      text: `You told us that something is wrong with ${facts.aLaptop}. The seller disagrees, so one of our admins looks into it and decides within ${complaintTerms.decisionDays} days.`,
      action: complaintPage("Read the answer", facts),
      nextStep: `You don't need to do anything. We keep the money until then. If nobody has decided ${undecided}, ${buyerGets}`,
    }),
  },
  refunded: {
    buyer: (facts) => ({
      name: "complaint-refunded-buyer",
      text: `Your complaint about ${facts.aLaptop} is settled: you get all of your ${facts.price} back.`,
      action: complaintPage("View the decision", facts),
      nextStep: "If you have the laptop, please give it back to the seller.",
    }),
    seller: (facts) => ({
      name: "complaint-refunded-seller",
      text: `The complaint about your ${facts.brand} laptop is settled: the buyer gets all of their ${facts.price} back.`,
      action: complaintPage("View the decision", facts),
      nextStep: "If the buyer has the laptop, ask them when they can give it back to you.",
    }),
  },
  toReturn: {
    buyer: (facts) => ({
      name: "return-agreed-buyer",
      text: `Your complaint about ${facts.aLaptop} is settled: you get all of your ${facts.price} back once the seller has the laptop. Meet them within ${facts.timeLeft}, give it back, and show them your return code. Your refund starts when they enter it.`,
      action: handoverPage("View my return code", facts),
      nextStep: `If they don't confirm that they have it within ${facts.timeLeft}, one of our admins decides. We keep the money until then.`,
    }),
    seller: (facts) => ({
      name: "return-agreed-seller",
      text: `The complaint about your ${facts.brand} laptop is settled: the buyer gets all of their ${facts.price} back once you have the laptop. Meet them within ${facts.timeLeft}, look it over, and enter the return code that they show you.`,
      action: handoverPage("Enter the return code", facts),
      nextStep: `If you haven't confirmed within ${facts.timeLeft} that you have it, one of our admins decides. We keep the money until then.`,
    }),
  },
  returned: {
    buyer: (facts) => ({
      name: "complaint-refunded-buyer",
      text: `The seller has ${facts.aLaptop} back, so you get all of your ${facts.price} back.`,
    }),
    seller: (facts) => ({
      name: "return-confirmed-seller",
      text: `You've confirmed that your ${facts.brand} laptop is back with you. The buyer gets all of their ${facts.price} back.`,
    }),
  },
  /** `price`: the refund to the buyer's card. For the seller, also includes credit and discount. */
  partlyRefunded: {
    buyer: (facts) => ({
      name: "complaint-partly-refunded-buyer",
      text: `Your complaint about ${facts.aLaptop} is settled: you get ${facts.price} back to your card, and you keep the laptop. It may take your bank a few days to show it.${facts.creditBack}`,
      action: complaintPage("View the decision", facts),
    }),
    seller: (facts) => ({
      name: "complaint-partly-refunded-seller",
      text: `The complaint about your ${facts.brand} laptop is settled: the buyer gets ${facts.price} back, and you get the rest.`,
      action: complaintPage("View the decision", facts),
    }),
  },
  /** Sent if the buyer already has all the money back, from the bank or by a refund. */
  paidBack: {
    buyer: (facts) => ({
      name: "complaint-closed-buyer",
      text: `Your complaint about ${facts.aLaptop} is closed: all of the ${facts.price} that you paid is back with you, from your bank or by a refund to your card.${facts.creditBack}`,
      action: complaintPage("View the decision", facts),
      nextStep: "If you still have the laptop, please give it back to the seller.",
    }),
    seller: (facts) => ({
      name: "complaint-closed-seller",
      text: `The complaint about your ${facts.brand} laptop is closed. The buyer has all of their money back, from their bank or by a refund, so there is nothing left to send you.`,
      action: complaintPage("View the decision", facts),
      nextStep: "If the buyer still has the laptop, ask them when they can give it back to you.",
    }),
  },
  rejected: {
    buyer: (facts) => ({
      name: "complaint-closed-buyer",
      text: `Your complaint about ${facts.aLaptop} is closed without a refund, and the seller gets the money.`,
      action: complaintPage("View the decision", facts),
      nextStep: "If you think that is a mistake, write to our support team.",
    }),
    seller: (facts) => ({
      name: "complaint-closed-seller",
      text: `The complaint about your ${facts.brand} laptop is closed without a refund. The money is yours.`,
      action: payouts,
    }),
  },
} satisfies Record<string, BookingEmail>;

type ToDecide = { url: string; decideBy: Date; refundAt: Date };

export function complaintToDecideEmail({ url, decideBy, refundAt }: ToDecide): EmailMessage {
  return {
    subject: "A complaint needs your decision",
    paragraphs: [
      `A buyer says that something is wrong with a laptop, and buyer and seller haven't settled it. Please read what they have written and decide by ${formatDay(decideBy)} who gets the money. If nobody has decided by ${formatDay(refundAt)}, ${buyerIsPaid}`,
    ],
    action: { label: "View the complaint", url },
  };
}

export function overdueDecisionEmail({ url, refundAt }: Omit<ToDecide, "decideBy">): EmailMessage {
  return {
    subject: "A complaint is overdue",
    paragraphs: [
      `A complaint has waited for your decision for more than ${complaintTerms.decisionDays} days, and both sides wait for the money. If nobody decides by ${formatDay(refundAt)}, ${buyerIsPaid}`,
    ],
    action: { label: "Decide now", url },
  };
}
