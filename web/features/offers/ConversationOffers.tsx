import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listOffers } from "#contract/offers.ts";
import { listOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { OfferCard } from "./OfferList.tsx";

type ConversationOffersProps = { product: string; mayOffer: boolean };

/** The query for the open offers on a laptop. */
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
      <p className="mb-4">
        <Link to={`${paths.offers()}?about=${product}`} className="link text-sm">
          Make an offer
        </Link>
      </p>
    ) : null;
  return (
    <section aria-label="Offers" className="mb-4 rounded-box border border-line p-4">
      {open.map((offer) => (
        <OfferCard key={offer._id} offer={offer} />
      ))}
    </section>
  );
}
