import { sql } from "kysely";
import type { EmailName } from "#contract/emails.ts";
import { newOfferState, type OfferState } from "#contract/life-cycle.ts";
import { offerHours } from "#contract/offers.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import { hasAddress } from "#contract/text.ts";
import { type Tx, transact } from "../../db/database.ts";
import { isErased } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../email/email.ts";
import { nameOf } from "../../email/email-phrases.ts";
import { shownNameColumn } from "../saved/saved-products.ts";

type Party = { name: string; email: string; left: boolean };
type Offer = NonNullable<Awaited<ReturnType<typeof readOffer>>>;
type News = { state: OfferState; to: Party; from: Party; url: string };

export function offerEmail(
  { laptop, price_cents, resale_cents }: Offer,
  { state, to, from, url }: News,
): EmailContent {
  const about = laptop === null || hasAddress(laptop) ? "laptop" : laptop;
  const quoted = laptop === null ? "the laptop" : nameOf(laptop);
  const sum = formatPrice(toDollars(price_cents));
  const listed = formatPrice(toDollars(resale_cents));
  const [first = "Someone"] = from.name.trim().split(/\s+/);
  const member = hasAddress(first) ? "Someone" : first;
  const texts: Partial<Record<OfferState, [EmailName, string]>> = {
    open: [
      "offer-received",
      `${member} offers ${sum} for ${quoted}, which is listed for ${listed}. You can accept it, decline it or name another price within ${offerHours} hours. Once it's accepted, the laptop is held for the buyer at that price.`,
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
    to: to.email,
    recipient: to.name,
    name: emailName,
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
    const offer = await readOffer(tx, offerId);
    if (!offer || offer.state !== state) return;
    // The offer was below the seller's lowest price, so the seller wasn't told (decisions/offers).
    if (state === "withdrawn" && offer.decline_at) return;
    const isMakersNews = state === newOfferState || state === "withdrawn";
    // New or withdrawn: emails the other side. Ended: the buyer. Otherwise: the offer's maker.
    const toBuyer = state === "ended" || (offer.made_by === "seller") === isMakersNews;
    const [to, from] = toBuyer ? [offer.buyer, offer.seller] : [offer.seller, offer.buyer];
    if (to.left || isErased(to.email)) return;
    const url = `${deps.config.publicUrl}/dashboard/offers`;
    const email = offerEmail(offer, { state, to, from, url });
    await deps.emailQueue.add(tx, { kind: "message", ...email });
  });
}

/** `laptop`: null if its name must not be shown. */
async function readOffer(tx: Tx, id: string) {
  const party = (name: "buyer" | "seller") =>
    sql<Party>`json_build_object('name', ${sql.ref(`${name}.name`)}, 'email', ${sql.ref(`${name}.email`)},
      'left', ${sql.ref(`${name}.deleted_at`)} is not null)`.as(name);
  return await tx
    .selectFrom("offers")
    .innerJoin("products", "products.id", "offers.product_id")
    .innerJoin("members as seller", "seller.id", "offers.seller_id")
    .innerJoin("members as buyer", "buyer.id", "offers.buyer_id")
    .select(["offers.state", "offers.decline_at", "offers.made_by", "offers.price_cents"])
    .select([
      "products.resale_cents",
      shownNameColumn.as("laptop"),
      party("buyer"),
      party("seller"),
    ])
    .where("offers.id", "=", id)
    .executeTakeFirst();
}
