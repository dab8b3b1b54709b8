/** An owner can replace these built-in subjects. Emails to staff are not included. */
export const emailSubjects = {
  "address-to-confirm": "Confirm your email address",
  "password-reset": "Set a new password for {shop}",
  "friend-invitation": "You're invited to {shop}",
  "new-messages": "You have {messages} about {laptop}",
  "saved-laptops-changed": "News about {laptops} you saved",
  "saved-search-matched": "{laptops} for your saved search",
  "listing-approved": "Your laptop is on sale",
  "listing-taken-down": "We took down one of your listings",
  "offer-received": "{member} offers {price} for the {laptop}",
  "offer-declined": "Your offer of {price} was declined",
  "offer-withdrawn": "The offer of {price} was taken back",
  "offer-expired": "Your offer of {price} has run out",
  "offer-ended": "The offer of {price} has ended",
  "offer-accepted-buyer": "You agreed on {price} for {laptop}",
  "offer-accepted-seller": "You agreed on {price} for your {brand} laptop",
  "hold-started-buyer": "Your hold on {laptop}",
  "hold-started-seller": "Your {brand} laptop is on hold",
  "hold-expired-buyer": "Your hold on {laptop} has expired",
  "hold-canceled-buyer": "Your hold on {laptop} was canceled",
  "hold-ended-seller": "Your {brand} laptop is back on sale",
  "payment-received-buyer": "Your receipt for {laptop}",
  "payment-received-seller": "You sold your {brand} laptop",
  "payment-received-late-buyer": "The {brand} laptop is yours after all",
  "meeting-proposed": "When and where to hand over the {brand} laptop",
  "meeting-agreed": "Agreed: the handover of the {brand} laptop",
  "meeting-reminder": "Coming up: the handover of the {brand} laptop",
  "meeting-withdrawn": "No time agreed yet for the {brand} laptop",
  "meeting-canceled": "Called off: the handover of the {brand} laptop",
  "handover-reminder-buyer": "Have you picked up {laptop}?",
  "handover-reminder-seller": "Have you handed over your {brand} laptop?",
  "handover-confirmed-buyer": "You've received {laptop}",
  "handover-confirmed-seller": "The buyer has your {brand} laptop",
  "handover-missed-buyer": "We're refunding you {price}",
  "sale-canceled-seller": "The sale of your {brand} laptop was canceled",
  "refund-sent-buyer": "Your refund of {price} is on its way",
  "refund-failed-buyer": "Your bank sent back your refund of {price}",
  "refund-owed-buyer": "We owe you {price}",
  "partial-refund-failed-buyer": "We couldn't refund {price} to your card",
  "leftover-refunded-buyer": "You get {price} back",
  "leftover-credited-buyer": "Some of the price of {laptop} goes back",
  "leftover-refunded-seller": "{price} for your {brand} laptop went back to the buyer",
  "bank-account-needed": "Where should we send your {price}?",
  "payout-sent": "Your {price} is on its way",
  "payout-set-off": "Your {price} covered what you owed us",
  "payout-failed": "Your bank sent back {price}",
  "complaint-opened-buyer": "We have your complaint about {laptop}",
  "complaint-opened-seller": "The buyer says something is wrong with your {brand} laptop",
  "complaint-reminder-seller": "Answer the complaint about your {brand} laptop",
  "complaint-offer-buyer": "The seller offers you {price} back",
  "complaint-disputed-buyer": "The seller sees it differently",
  "complaint-escalated-buyer": "We're looking into your complaint",
  "complaint-escalated-seller": "We're looking into the complaint about your {brand} laptop",
  "complaint-refunded-buyer": "You get your {price} back",
  "complaint-refunded-seller": "The buyer of your {brand} laptop gets a refund",
  "complaint-partly-refunded-buyer": "You get {price} back",
  "complaint-partly-refunded-seller": "The buyer of your {brand} laptop gets {price} back",
  "complaint-closed-buyer": "Your complaint is closed",
  "complaint-closed-seller": "The complaint about your {brand} laptop is closed",
  "return-agreed-buyer": "Give {laptop} back to get your money",
  "return-agreed-seller": "The buyer gives your {brand} laptop back",
  "return-confirmed-seller": "You have your {brand} laptop back",
  "bank-inquiry-seller": "The bank asks about the payment for your {brand} laptop",
  "dispute-opened-seller": "The payment for your {brand} laptop is disputed",
  "dispute-won-seller": "The payment for your {brand} laptop stands",
  "dispute-lost-seller": "The bank gave back the payment for your {brand} laptop",
  "review-invitation": "How was it? Review the {party} of {laptop}",
  "reviews-published": "The reviews are in",
};

export type EmailName = keyof typeof emailSubjects;

export const emailNames = Object.keys(emailSubjects) as EmailName[];

/** Such as "Hold started (to the buyer)" for `hold-started-buyer`. */
export function emailTitle(name: string): string {
  const words = name.replaceAll("-", " ").replace(/ (buyer|seller)$/, " (to the $1)");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The placeholders, such as `{price}`, that an owner's texts for an email may contain. */
export function placeholdersOf(name: EmailName): string[] {
  return [...new Set(["{shop}", ...placeholdersIn(emailSubjects[name])])];
}

export function placeholdersIn(text: string): string[] {
  return text.match(/\{[^{}]*\}/g) ?? [];
}

/** Fills in one pass, so that placeholders in a member's text are never filled. */
export function fillPlaceholders(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}
