import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listOffers } from "#contract/offers.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { OfferActions } from "./OfferActions.tsx";
import { OfferTerms } from "./OfferList.tsx";

type ConversationOffersProps = { product: string; mayOffer: boolean };

export function offersFor(product: string) {
  return listOf(listOffers, { query: { open: "true", product } });
}

/** The open offers on a laptop, inside the conversation about it. */
export function ConversationOffers({ product, mayOffer }: ConversationOffersProps) {
  const { data: open } = useInfiniteQuery({
    ...offersFor(product),
    refetchInterval: 30_000,
  });
  if (open === undefined) return null;
  if (open.length === 0)
    return mayOffer ? (
      <p className="text-sm">
        <Link to={`${paths.offers()}?about=${product}`} className="link">
          Make an offer
        </Link>
      </p>
    ) : null;
  return (
    <section aria-label="Offers" className="border-line border-t pt-2">
      {open.map((offer) => (
        <article
          key={offer._id}
          aria-label={`${formatPrice(offer.price)} for ${offer.product.product_name}`}
          className="flex flex-wrap items-center justify-between gap-2"
        >
          <div>
            <OfferTerms offer={offer} />
          </div>
          <OfferActions offer={offer} />
        </article>
      ))}
    </section>
  );
}
