/**
 * Time limits of a complaint: for the seller's answer and for an admin's decision. If it is still
 * undecided `undecidedDays` after it was opened, it is decided for the buyer.
 */
export const complaintTerms = { answerHours: 48, decisionDays: 7, undecidedDays: 21 } as const;
