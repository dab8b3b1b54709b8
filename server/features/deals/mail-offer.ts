import { newOfferState, type OfferState } from "#contract/life-cycle.ts";
import { toDollars } from "#contract/price.ts";
import { transact } from "../../db/database.ts";
import { isErased } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { shownNameColumn } from "../saved/saved-products.ts";
import { type OfferNews, offerEmail } from "./offer-emails.ts";

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
      .select([
        "offers.state",
        "offers.decline_at",
        "offers.made_by",
        "offers.price_cents",
        "products.resale_cents",
      ])
      .select(["seller.name as seller_name", "seller.email as seller_email"])
      .select(["buyer.name as buyer_name", "buyer.email as buyer_email"])
      .select(["seller.deleted_at as seller_left", "buyer.deleted_at as buyer_left"])
      .select(shownNameColumn.as("laptop"))
      .where("offers.id", "=", offerId)
      .executeTakeFirst();
    if (!offer || offer.state !== state) return;
    // The offer was below the seller's lowest price, so the seller wasn't told (decisions/offers).
    if (state === "withdrawn" && offer.decline_at) return;
    const isMakersNews = state === newOfferState || state === "withdrawn";
    // New or withdrawn: emails the other side. Ended: the buyer. Otherwise: the offer's maker.
    const toBuyer = state === "ended" || (offer.made_by === "seller") === isMakersNews;
    const to = toBuyer
      ? { name: offer.buyer_name, email: offer.buyer_email, left: offer.buyer_left }
      : { name: offer.seller_name, email: offer.seller_email, left: offer.seller_left };
    if (to.left || isErased(to.email)) return;
    const news: OfferNews = {
      state,
      laptop: offer.laptop,
      from: toBuyer ? offer.seller_name : offer.buyer_name,
      price: toDollars(offer.price_cents),
      listed: toDollars(offer.resale_cents),
      url: `${deps.config.publicUrl}/dashboard/offers`,
    };
    await deps.emailQueue.add(tx, { kind: "message", ...offerEmail(to, news) });
  });
}
