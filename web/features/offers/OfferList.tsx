import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { OfferState } from "#contract/life-cycle.ts";
import { listOffers, type Offer } from "#contract/offers.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf } from "#web/api/api.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { ratingText } from "#web/domain/sellers/seller-texts.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { Notice } from "#web/ui/Notice.tsx";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { OfferActions } from "./OfferActions.tsx";

/** Omits the open offer on the laptop `except`, which the page shows above the list. */
export function OfferList({ except }: { except: string | null }) {
  const offers = useInfiniteQuery({ ...listOf(listOffers, {}), refetchInterval: 30_000 });
  return (
    <QueryState
      query={offers}
      skeleton={<div className="h-60 rounded-box border border-line" />}
      empty={
        except === null && (
          <Notice title="No offers yet" drawing>
            <p>Press Make an offer on a laptop's page to name another price.</p>
            <Link to={paths.search()} className={buttonClass()}>
              Search laptops
            </Link>
          </Notice>
        )
      }
    >
      {(all) => {
        const shown = all.filter(
          ({ state, product }) => state !== "open" || product._id !== except,
        );
        return (
          <>
            {except !== null && shown.length > 0 && (
              <h2 className="mb-4 text-heading">Other offers</h2>
            )}
            <ul className="flex max-w-2xl flex-col gap-4">
              {shown.map((offer) => (
                <li key={offer._id} className="rounded-box border border-line bg-base-100 p-4">
                  <OfferCard offer={offer} />
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </QueryState>
  );
}

export function OfferCard({ offer }: { offer: Offer }) {
  const { product, role, other, price } = offer;
  return (
    <article
      aria-label={`${formatPrice(price)} for ${product.product_name}`}
      className="flex flex-col gap-3"
    >
      <div className="flex gap-3">
        <span className="shrink-0">
          {product.img !== null && <Thumbnail img={product.img} alt="" />}
        </span>
        <div className="min-w-0">
          <p className="font-medium">
            <Link to={paths.laptop(product._id, product.product_name)} className="link-hover">
              <ProductName name={product.product_name} />
            </Link>
          </p>
          <p className="text-muted text-sm">
            {role === "buyer" ? "Seller: " : "Buyer: "}
            <bdi>{other.name}</bdi>
            {other.rating && `, ${ratingText(other.rating)}`}
          </p>
          <OfferTerms offer={offer} />
        </div>
      </div>
      {offer.state === "open" && <OfferActions offer={offer} />}
    </article>
  );
}

export function OfferTerms({ offer }: { offer: Offer }) {
  const { product, role, price, state, bookingId } = offer;
  return (
    <>
      <p>
        {who(offer)} <strong>{formatPrice(price)}</strong>
        <span className="text-muted text-sm">{` (listed for ${formatPrice(product.price)})`}</span>
      </p>
      <p className="text-muted text-sm">{statusOf(offer)}</p>
      {state === "accepted" && bookingId !== null && (
        <Link
          to={role === "buyer" ? paths.payment(bookingId) : paths.myProducts()}
          className="link text-sm"
        >
          {role === "buyer" ? "Go to payment" : "Go to My Products"}
        </Link>
      )}
    </>
  );
}

function who({ mine, role }: Offer): string {
  if (mine) return "You offer";
  return role === "buyer" ? "The seller asks" : "The buyer offers";
}

const closed: Record<Exclude<OfferState, "open">, string> = {
  accepted: "Accepted. The laptop was put on hold at this price.",
  declined: "Declined.",
  countered: "Answered with another price.",
  withdrawn: "Withdrawn.",
  expired: "Nobody answered within 48 hours.",
  ended: "Ended: the laptop was booked or withdrawn, or its price fell.",
};

function statusOf({ state, expiresAt, belowFloor }: Offer): string {
  if (state !== "open") return closed[state];
  const until = `Open until ${formatDateTime(expiresAt)}.`;
  return belowFloor
    ? `${until} It's below your lowest price, so we decline it for you unless you accept it first.`
    : until;
}
