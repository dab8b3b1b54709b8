/**
 * Time limits for the seller's answer and for an admin's decision. A complaint still undecided
 * after `undecidedDays` is decided for the buyer.
 */
export const complaintTerms = { answerHours: 48, decisionDays: 7, undecidedDays: 21 } as const;
