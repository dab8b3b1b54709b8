/**
 * The time limits of a complaint: the seller answers, an admin decides, and what nobody has decided since the complaint is
 * decided for the buyer.
 */
export const complaintTerms = { answerHours: 48, decisionDays: 7, undecidedDays: 21 } as const;
