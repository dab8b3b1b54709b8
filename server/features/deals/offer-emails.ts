import type { OfferState } from "#contract/life-cycle.ts";
import { offerHours } from "#contract/offers.ts";
import { formatPrice } from "#contract/price.ts";
import { hasAddress } from "#contract/text.ts";
import type { EmailContent } from "../../email/email.ts";
import { nameOf } from "../../email/email-texts.ts";

/** `laptop`: null if the laptop's name must not be shown. `from`: the other side's name. */
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
  news: OfferNews,
): EmailContent {
  const { subject, text } = textOf(news);
  return {
    to: email,
    subject,
    paragraphs: [`Hi ${name},`, text],
    action: { label: "View your offers", url: news.url },
    actionAfter: 2,
  };
}

function textOf({ state, laptop, from, price, listed }: OfferNews) {
  const about = laptop === null || hasAddress(laptop) ? "laptop" : laptop;
  const quoted = laptop === null ? "the laptop" : nameOf(laptop);
  const sum = formatPrice(price);
  const [first = "Someone"] = from.trim().split(/\s+/);
  const who = hasAddress(first) ? "Someone" : first;
  if (state === "open")
    return {
      subject: `${who} offers ${sum} for the ${about}`,
      text: `${who} offers ${sum} for ${quoted}, which is listed for ${formatPrice(listed)}. You can accept it, decline it or name another price within ${offerHours} hours. Once it's accepted, the laptop is held for the buyer at that price.`,
    };
  if (state === "declined")
    return {
      subject: `Your offer of ${sum} was declined`,
      text: `${who} declined your offer of ${sum} for ${quoted}.`,
    };
  if (state === "withdrawn")
    return {
      subject: `The offer of ${sum} was taken back`,
      text: `${who} took back the offer of ${sum} for ${quoted}, so it can't be accepted any more.`,
    };
  if (state === "expired")
    return {
      subject: `Your offer of ${sum} has run out`,
      text: `${who} didn't answer your offer of ${sum} for ${quoted} within ${offerHours} hours, so it has run out.`,
    };
  return {
    subject: `The offer of ${sum} has ended`,
    text: `The offer of ${sum} for ${quoted} has ended: the laptop was booked or withdrawn, or it now costs no more than that.`,
  };
}
