import type { EmailName } from "#contract/emails.ts";
import { newOfferState, type OfferState } from "#contract/life-cycle.ts";
import { offerHours } from "#contract/offers.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import { hasAddress } from "#contract/text.ts";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailMessage } from "../../email/email.ts";
import { nameOf } from "../../email/email-phrases.ts";
import { shownNameColumn } from "../saved/saved-products.ts";

/** `laptop`: null if the laptop's name must not be shown. `from`: the other side's name. */
export type OfferNews = {
  state: OfferState;
  laptop: string | null;
  from: string;
  price: number;
  listed: number;
  url: string;
};

export function offerEmail(news: OfferNews): EmailMessage {
  const { state, laptop, from, price, listed, url } = news;
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
      `${member} took back the offer of ${sum} for ${quoted}, so it can't be accepted anymore.`,
    ],
    expired: [
      "offer-expired",
      `${member} didn't answer your offer of ${sum} for ${quoted} within ${offerHours} hours, so it has run out.`,
    ],
  };
  const [name, text] = texts[state] ?? [
    "offer-ended",
    `The offer of ${sum} for ${quoted} has ended: the laptop was booked or withdrawn, or it now costs no more than that.`,
  ];
  return {
    name,
    values: { member, price: sum, laptop: about },
    paragraphs: [text],
    action: { label: "View your offers", url },
  };
}

/** Job `mailOffer`: emails one side about `state`, unless the offer has since left that state. */
export async function mailOffer(
  deps: Deps,
  { offerId, state }: { offerId: string; state: OfferState },
): Promise<void> {
  await transact(deps.db, `mailOffer ${offerId} ${state}`, async (tx) => {
    const offer = await tx
      .selectFrom("offers")
      .innerJoin("products", "products.id", "offers.product_id")
      .innerJoin("members as seller", "seller.id", "offers.seller_id")
      .innerJoin("members as buyer", "buyer.id", "offers.buyer_id")
      .select(["offers.state", "offers.decline_at", "offers.made_by", "offers.price_cents"])
      .select("products.resale_cents")
      .select(["seller.name as seller_name", "seller.email as seller_email"])
      .select(["buyer.name as buyer_name", "buyer.email as buyer_email"])
      .select(["seller.deleted_at as seller_left", "buyer.deleted_at as buyer_left"])
      .select(shownNameColumn.as("laptop"))
      .where("offers.id", "=", offerId)
      .executeTakeFirst();
    if (!offer || offer.state !== state) return;
    // A seller gets no emails about offers below their lowest price (decisions/offers).
    if (state === "withdrawn" && offer.decline_at) return;
    const isMakersNews = state === newOfferState || state === "withdrawn";
    // Emails the recipient of a new or withdrawn offer, the buyer of an ended offer, and the maker
    // of any other offer.
    const toBuyer = state === "ended" || (offer.made_by === "seller") === isMakersNews;
    const to = toBuyer
      ? { name: offer.buyer_name, email: offer.buyer_email, left: offer.buyer_left }
      : { name: offer.seller_name, email: offer.seller_email, left: offer.seller_left };
    if (to.left) return;
    const email = offerEmail({
      state,
      laptop: offer.laptop,
      from: toBuyer ? offer.seller_name : offer.buyer_name,
      price: toDollars(offer.price_cents),
      listed: toDollars(offer.resale_cents),
      url: `${deps.config.publicUrl}/dashboard/offers`,
    });
    await deps.emailQueue.add(tx, { kind: "message", ...addressedTo(to), ...email });
  });
}
