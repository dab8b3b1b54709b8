import type { EmailName } from "#contract/emails.ts";
import type { OfferState } from "#contract/life-cycle.ts";
import { offerHours } from "#contract/offers.ts";
import { formatPrice } from "#contract/price.ts";
import { hasAddress } from "#contract/text.ts";
import type { EmailContent } from "../../email/email.ts";
import { nameOf } from "../../email/email-phrases.ts";

/** `laptop`: null if its name must not be shown. `from`: the other side's name. */
export type OfferNews = {
  state: OfferState;
  laptop: string | null;
  from: string;
  price: number;
  listed: number;
  url: string;
};

export function offerEmail(
  { name, email }: { name: string; email: string },
  { state, laptop, from, price, listed, url }: OfferNews,
): EmailContent {
  const about = laptop === null || hasAddress(laptop) ? "laptop" : laptop;
  const quoted = laptop === null ? "the laptop" : nameOf(laptop);
  const sum = formatPrice(price);
  const [first = "Someone"] = from.trim().split(/\s+/);
  const member = hasAddress(first) ? "Someone" : first;
  const texts: Partial<Record<OfferState, [EmailName, string]>> = {
    open: [
      "offer-received",
      `${member} offers ${sum} for ${quoted}, which is listed for ${formatPrice(listed)}. You can accept it, decline it or name another price within ${offerHours} hours. Once it's accepted, the laptop is held for the buyer at that price.`,
    ],
    declined: ["offer-declined", `${member} declined your offer of ${sum} for ${quoted}.`],
    withdrawn: [
      "offer-withdrawn",
      `${member} took back the offer of ${sum} for ${quoted}, so it can't be accepted any more.`,
    ],
    expired: [
      "offer-expired",
      `${member} didn't answer your offer of ${sum} for ${quoted} within ${offerHours} hours, so it has run out.`,
    ],
  };
  const [emailName, text] = texts[state] ?? [
    "offer-ended",
    `The offer of ${sum} for ${quoted} has ended: the laptop was booked or withdrawn, or it now costs no more than that.`,
  ];
  return {
    to: email,
    recipient: name,
    name: emailName,
    values: { member, price: sum, laptop: about },
    paragraphs: [text],
    action: { label: "View your offers", url },
  };
}
