/** Shared by pages, dialogs and emails, so that these don't contradict each other. */
export const beforePayment = {
  holdIsFree: "Holding a laptop is free, and you can end the hold at any time.",
  payWhenSure: "Pay by card when you're sure.",
  moneyIsKept: "We keep your money until after the handover.",
} as const;

/** `lookItOver` is for buyers, `handItOver` for sellers. */
export const afterPayment = {
  lookItOver:
    "Meet the seller, look the laptop over, and show them your handover code once you have it.",
  handItOver: "Meet the buyer and hand it over. Then enter the handover code that they show you.",
  sayWhatIsWrong: "If it then turns out not to be what was described, tell us soon in My Orders.",
} as const;

/** A complaint still undecided after `undecidedDays` is decided in the buyer's favor. */
export const complaintTerms = { answerHours: 48, decisionDays: 7, undecidedDays: 21 } as const;
