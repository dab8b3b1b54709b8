import { useInfiniteQuery } from "@tanstack/react-query";
import { listOffers } from "#contract/offers.ts";
import { formatPrice } from "#contract/price.ts";
import { isBuyer } from "#contract/roles.ts";
import { listOf } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { ButtonLink, TextLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { OfferActions, OfferCard, OfferTerms } from "./OfferCard.tsx";

type OfferListProps = {
  /** The laptop whose open offer the page shows above the list. */
  except: string | null;
  session: Session;
};

export function OfferList({ except, session }: OfferListProps) {
  const offers = useInfiniteQuery({ ...listOf(listOffers, {}), refetchInterval: 30_000 });
  return (
    <QueryState
      query={offers}
      skeleton={<div className="h-60 rounded-box border border-line" />}
      empty={
        except === null && (
          <Notice title="No offers yet" drawing>
            <HowToStart session={session} />
          </Notice>
        )
      }
    >
      {(all) => {
        const shown = all.filter(
          ({ state, role, product }) =>
            state !== "open" || role === "seller" || product._id !== except,
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

function HowToStart({ session }: { session: Session }) {
  if (session.isAdmin) return <p>Admins can't make or answer offers.</p>;
  if (!isBuyer(session))
    return <p>When a buyer offers another price for one of your laptops, you answer it here.</p>;
  return (
    <>
      <p>Press Make an offer on a laptop's page to name another price.</p>
      <ButtonLink to={paths.search()}>Search laptops</ButtonLink>
    </>
  );
}

export function offersFor(product: string) {
  return listOf(listOffers, { query: { open: "true", product } });
}

export function offersIn(conversation: string) {
  return listOf(listOffers, { query: { open: "true", conversation } });
}

type ConversationOffersProps = { id: string; product: string; mayOffer: boolean };

export function ConversationOffers({ id, product, mayOffer }: ConversationOffersProps) {
  const { data: open } = useInfiniteQuery({ ...offersIn(id), refetchInterval: 30_000 });
  if (open === undefined) return null;
  if (open.length === 0)
    return mayOffer ? (
      <p className="text-sm">
        <TextLink to={`${paths.offers()}?about=${product}`}>Make an offer</TextLink>
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
