/** Descriptions by audit log verb. A lowercase description follows the actor's name. */
const names: Record<string, string> = {
  hold: "put it on hold",
  pay: "paid",
  settle: "The payment was recorded",
  reclaim: "The payment came after the hold, and the laptop was still there",
  proposeMeeting: "proposed a place and time",
  acceptMeeting: "accepted the place and time",
  cancelMeeting: "took the place and time back",
  withdrawMeeting: "took back a proposal of a place and time",
  complete: "confirmed the handover",
  complain: "said that something is wrong",
  "answer complaint": "answered the complaint",
  "offer complaint": "accepted the seller's offer",
  "withdraw complaint": "withdrew the complaint",
  "ask for return": "decided that the buyer gives the laptop back for a refund",
  "confirm return": "confirmed that the laptop is back",
  "remind admins": "Admins were told that the complaint waits for them",
  openInquiry: "The buyer's bank asked about the payment",
  openDispute: "The buyer's bank opened a dispute",
  closeDispute: "The buyer's bank decided",
  submitEvidence: "sent evidence to the bank",
  expire: "The hold expired",
  cancel: "ended the hold",
  startRelease: "The seller's payout began",
  payOut: "The seller was paid",
  "transfer twice": "The card provider paid the seller a second time",
  "intend transfer": "The transfer to the seller was prepared",
  "refuse transfer": "The transfer to the seller was refused",
  "cancel purchase": "canceled the purchase",
  startRefund: "A refund was decided",
  giveBack: "A refund began",
  refund: "The buyer was refunded",
  "refund elsewhere": "The card provider's dashboard refunded something",
  settleRefund: "The refund was sent another way",
  failRefund: "The buyer's bank sent the refund back",
  giveUpRefund: "The refund couldn't be made",
  retryRefund: "tried the refund again",
  reopenRefund: "The buyer is owed the refund again",
  releaseLeftover: "sent the returned money to the seller",
  "refund leftover": "gave the returned money to the buyer",
  "intend reversal": "Money was to be taken back from the seller",
  "refuse reversal": "The card provider didn't take it back from the seller",
  findEmpty: "The card provider holds nothing for this deal anymore",
  "read messages": "read the messages",
  "recover debt": "What the seller owed was kept from their money",
  "take back discount": "The buyer's discount was taken back",
};

const byJobs: Record<string, string> = {
  cancel: "The hold was ended",
  "cancel purchase": "The purchase was canceled",
  "ask for return": "The buyer is to give the laptop back for a refund",
  releaseLeftover: "The returned money was sent to the seller",
  "refund leftover": "The returned money was refunded to the buyer",
  retryRefund: "The refund was tried again",
};

type Event = { verb: string; object: string; actor: string | null };

export function eventName({ verb, object, actor }: Event): string {
  // The payment gets its own `refund` entry, once the buyer has the money.
  const key = verb === "refund" && object === "booking" ? "cancel purchase" : verb;
  const byJob = actor === null ? byJobs[key] : undefined;
  return byJob ?? names[key] ?? verb.replaceAll(/([A-Z])/g, " $1").toLowerCase();
}
