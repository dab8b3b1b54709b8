import type { Complaint, ComplaintReason } from "#contract/complaints.ts";
import { formatPrice } from "#contract/price.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";

export const reasonNames: Record<ComplaintReason, string> = {
  not_as_described: "It isn't as described",
  not_working: "It doesn't work properly",
  missing_parts: "Something is missing",
  not_received: "I don't have it",
  other: "Something else",
};

/** Returns "you get" if the reader's role is `side`, otherwise, for example, "the buyer gets". */
function say(role: Complaint["role"], side: "buyer" | "seller", [yours, theirs]: [string, string]) {
  return role === side ? `you ${yours}` : `the ${side} ${theirs}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function answerText({ answer, decision, role }: Complaint): string {
  const seller = (verbs: [string, string]) => say(role, "seller", verbs);
  if (answer === null && decision) return sentence(seller(["didn't answer", "didn't answer"]));
  if (answer === null) return sentence(seller(["haven't answered yet", "hasn't answered yet"]));
  if (answer.answer === "refund")
    return sentence(seller(["refund all of it", "refunds all of it"]));
  if (answer.answer === "disagree")
    return `${sentence(seller(["disagree", "disagrees"]))} An admin decides.`;
  const offers = `${seller(["offer", "offers"])} to refund ${formatPrice(answer.offer ?? 0)}`;
  return sentence(`${offers}, and ${say(role, "buyer", ["keep", "keeps"])} the laptop`);
}

function onceReturned(role: Complaint["role"]): string {
  return ` once ${say(role, "seller", ["have", "has"])} the laptop`;
}

/** States who has to act by when, and what happens if nobody acts. */
export function nextSteps(complaint: Complaint): string {
  const { role, answer, answerBy, adminsDecide, decideBy, refundAt, price } = complaint;
  if (complaint.waitsForBank)
    return `${role === "buyer" ? "Your" : "The buyer's"} bank is looking into the payment. Until it decides, no deadline ends this complaint.`;
  const getsAll = `${say(role, "buyer", ["get", "gets"])} all of the ${formatPrice(price)} back`;
  const once = complaint.reason === "not_received" ? "" : onceReturned(role);
  const inTheEnd = `If nobody has decided by ${formatDateTime(refundAt)}, ${getsAll}${once}.`;
  const decides = `one of our admins decides by ${formatDateTime(decideBy)}`;
  if (adminsDecide) return `Now ${decides}. ${inTheEnd}`;
  const unless =
    answer === null
      ? `${say(role, "seller", ["don't", "doesn't"])} answer`
      : `${say(role, "buyer", ["don't", "doesn't"])} accept the offer`;
  return `If ${unless} by ${formatDateTime(answerBy)}, ${decides}. ${inTheEnd}`;
}

type Deciding = { refund: number; atOnce?: boolean | undefined };

export function decisionEffect(complaint: Complaint, deciding: Deciding): string {
  const { buyer, seller, price, reason, settlement } = complaint;
  const { refund, atOnce } = deciding;
  const final = "This can't be undone.";
  if (settlement === "refunded")
    return `${buyer} already has all of their money back, and nothing is left for ${seller}. ${final}`;
  if (refund >= price) {
    const back = `${buyer} gets a full refund of ${formatPrice(price)}`;
    if (atOnce || reason === "not_received") return `${back}; ${seller} is paid nothing. ${final}`;
    return `${back} once ${seller} has the laptop. Until then, you can decide again.`;
  }
  const back = refund === 0 ? "nothing" : formatPrice(refund);
  const fee = complaint.fee > 0 ? ", less our fee" : "";
  return `${buyer} gets ${back} back; ${seller} is paid ${formatPrice(price - refund)}${fee}. ${final}`;
}

/** The decision in words; empty until the complaint is decided. */
export function decisionText({ role, decision, price, settlement }: Complaint): string {
  if (decision === null) return "";
  const { refund, returnBy } = decision;
  const buyer = (verbs: [string, string]) => say(role, "buyer", verbs);
  const sellerGets = say(role, "seller", ["get", "gets"]);
  if (settlement === "refunded" && refund < price)
    return `${sentence(`${buyer(["have all of your", "has all of their"])} money back`)} Nothing is left for the seller.`;
  if (refund === 0) return `Closed without a refund. ${sentence(`${sellerGets} the money`)}`;
  const getsAll = `${buyer(["get", "gets"])} all of the ${formatPrice(price)} back`;
  if (returnBy)
    return `${sentence(getsAll + onceReturned(role))} If that isn't confirmed by ${formatDateTime(returnBy)}, one of our admins decides.`;
  if (refund >= price) return sentence(getsAll);
  return sentence(
    `${buyer(["get", "gets"])} ${formatPrice(refund)} back, and ${sellerGets} the rest`,
  );
}

/** An admin's words, or the server's sentence, such as "You accepted the offer." for the buyer. */
export function settledBy({ role, decision }: Complaint): string {
  if (decision === null) return "";
  return decision.byAdmin ? decision.words : decision.words.replace(`The ${role} `, "You ");
}
