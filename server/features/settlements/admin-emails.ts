import { formatPrice, toDollars } from "#contract/price.ts";
import type { EmailContent } from "../../email/email-queue.ts";
import { formatDay } from "../../email/format-day.ts";
import { nameFirst } from "../../email/name-first.ts";

type Admin = { name: string; email: string };

type OldDeal = { price: string; moveBy: Date; transactionId: string };

/** Money of some deals has been held for long; the oldest is the first. */
export function oldMoneyEmail(
  admin: Admin,
  { deals, url }: { deals: OldDeal[]; url: string },
): EmailContent {
  const [first] = deals;
  const day = first ? formatDay(first.moveBy) : "";
  const isOne = deals.length === 1;
  const what = isOne ? `${first?.price} of a sale` : `the money of ${deals.length} sales`;
  const lines = nameFirst(
    deals.map(
      ({ price, moveBy, transactionId }) => `${price} by ${formatDay(moveBy)}: ${transactionId}`,
    ),
  );
  return {
    to: admin.email,
    subject: isOne
      ? `Pay out or refund ${first?.price} by ${day}`
      : `Pay out or refund ${deals.length} sales, the first by ${day}`,
    paragraphs: [
      `Hi ${admin.name},`,
      `We have held ${what} for more than ten weeks. The card provider keeps money for others for 90 days only, so please see to ${isOne ? "it" : "the first of them"} by ${day}. If the buyer is owed it, refund it. If the seller is owed it and has no bank account yet, ask them once more to connect one; if they are suspended, decide whether to let them back in. What still can't reach the seller on that day goes back to the buyer, and a refund that failed is tried once more. You'll get an email about what the card doesn't take either.`,
      ...lines,
    ],
    action: { label: isOne ? "View the payment" : "View payments", url },
    actionAfter: 2 + lines.length,
  };
}

/** `toCardCents`: what of it the buyer has paid by card. `moveBy`: when the shop sends it on by itself. */
type Leftover = { cents: number; toCardCents: number; url: string; moveBy: Date };

/** A deal that was settled has money again. */
export function leftoverEmail(
  admin: Admin,
  { waits, ...leftover }: Leftover & { waits: boolean },
): EmailContent {
  if (waits) return unreachableEmail(admin, leftover);
  const { url, moveBy } = leftover;
  const price = formatPrice(toDollars(leftover.cents));
  return {
    to: admin.email,
    subject: `${price} came back to a sale that was settled`,
    paragraphs: [
      `Hi ${admin.name},`,
      `We hold ${price} of a sale that was already settled: a refund was sent back, a bank changed its decision, or a transfer to the seller was reversed. Open the deal, look at what happened, and choose there who gets the money. If nobody does by ${formatDay(moveBy)}, the seller gets it if a bank decided for them, no complaint gave the buyer a part, nobody took money back at the card provider, and they can receive it. If not, ${backToBuyer(leftover)}. Please don't send it at the card provider: we wouldn't hear of it, and it could be sent twice.`,
    ],
    action: { label: "Open the deal", url },
    actionAfter: 2,
  };
}

/** What an admin has sent the seller of it waits for another account of theirs. */
function unreachableEmail(admin: Admin, leftover: Leftover): EmailContent {
  const { cents, toCardCents, url, moveBy } = leftover;
  const price = formatPrice(toDollars(cents));
  const now = toCardCents > 0 ? " Open the deal to refund the buyer's card now." : "";
  return {
    to: admin.email,
    subject: `${price} can't reach the seller`,
    paragraphs: [
      `Hi ${admin.name},`,
      `${price} that had come back to a sale was sent to its seller, but they can't receive it any more: their account at the card provider is closed, or they are suspended. If they still can't on ${formatDay(moveBy)}, ${backToBuyer(leftover)}.${now}`,
    ],
    action: { label: "Open the deal", url },
    actionAfter: 2,
  };
}

function backToBuyer({ cents, toCardCents }: Leftover): string {
  const [card, rest] = [toCardCents, cents - toCardCents].map((part) =>
    formatPrice(toDollars(part)),
  );
  if (toCardCents === cents) return "it goes back to the buyer's card";
  if (toCardCents === 0) return "it goes back as the credit or discount it was paid with";
  return `${card} goes back to the buyer's card, and the other ${rest} as the credit or discount it was paid with`;
}
