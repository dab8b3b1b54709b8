import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useId } from "react";
import { Link } from "react-router";
import { listBookings } from "#contract/bookings.ts";
import type { Laptop } from "#contract/laptop-page.ts";
import type { SalesStatus } from "#contract/life-cycle.ts";
import { sellerPath } from "#contract/page-paths.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { factRows } from "#web/domain/products/fact-rows.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { ratingText, sellerRecordText } from "#web/domain/sellers/seller-texts.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { formatDate } from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink, TextLink } from "#web/ui/Link.tsx";
import { toast } from "#web/ui/toast.ts";
import { BookButton, ReportButton, useMayBuy, useWhyDisabled, Why } from "./BookAndReport.tsx";
import { FairPrice } from "./FairPrice.tsx";
import { LaptopPhotos } from "./LaptopPhotos.tsx";
import { Condition, Prices } from "./ProductCard.tsx";
import { trackViews } from "./track-views.ts";
import { checksSentence, VerifiedBadge } from "./VerifiedBadge.tsx";

/** Loaded on demand, because only the seller sees it. */
const OwnListing = lazy(() => import("./OwnListing.tsx"));

type LaptopDetailsProps = {
  laptop: Laptop;
  own: boolean;
  /** How many hours the buyer can complain after the handover; undefined if unknown. */
  complaintHours: number | undefined;
  actions: ReactNode;
  onBook: () => void;
  onReport: () => void;
};

export function LaptopDetails(props: LaptopDetailsProps) {
  const { laptop, own, complaintHours, actions, onBook, onReport } = props;
  const { _id, product_name, sales_status } = laptop;
  const id = useId();
  const mayBuy = useMayBuy();
  const action = { nameId: id, why: useWhyDisabled(false) };
  return (
    <article className="laptop" data-product={_id} ref={mayBuy ? trackViews : undefined}>
      <LaptopPhotos laptop={laptop} />
      <div className="laptop-summary flex flex-col gap-5">
        <h1 id={id} className="text-title">
          <ProductName name={product_name} />
        </h1>
        {sales_status !== "available" && <Unavailable laptop={laptop} status={sales_status} />}
        <Prices product={laptop} />
        {laptop.fairPrice.range && (
          <FairPrice price={laptop.resale_price} range={laptop.fairPrice.range} />
        )}
        <Condition condition={laptop.condition} battery={laptop.batteryHealth} />
        {own ? (
          <Suspense>
            <OwnListing id={_id} />
          </Suspense>
        ) : (
          sales_status === "available" && (
            <>
              <HowItWorks location={laptop.location} complaintHours={complaintHours} />
              <div className="book-bar">
                <p className="book-bar-price">{formatPrice(laptop.resale_price)}</p>
                <BookButton {...action} onPress={onBook} />
                <Why {...action} />
              </div>
              {/* If the visitor enables scripts, the link opens the booking dialog. */}
              <div className="unscripted-actions">
                <p className="mb-3">Booking needs JavaScript, even if you are logged in.</p>
                <a
                  href={`${paths.laptop(_id, product_name)}?book=${_id}`}
                  className={buttonClass()}
                >
                  Book Now
                </a>
              </div>
            </>
          )
        )}
        <div className="card-footer">
          <ShareButton laptop={laptop} />
          {actions}
          {mayBuy && !own && sales_status !== "sold" && <Asks laptop={laptop} />}
        </div>
        <SellerCard laptop={laptop} />
        {!own && (
          <div className="report">
            <ReportButton {...action} onPress={onReport} />
            {sales_status !== "available" && <Why {...action} />}
          </div>
        )}
      </div>
      <div className="flex flex-col gap-8">
        <Section title="Description">
          <p dir="auto" className="user-text whitespace-pre-line">
            {laptop.description}
          </p>
        </Section>
        <Section title="Details">
          <FactsTable laptop={laptop} />
        </Section>
        {laptop.priceHistory.length > 0 && (
          <Section title="Price history">
            <ol className="text-sm">
              {laptop.priceHistory.map(({ price, since }) => (
                <li key={since}>{`${formatDate(since)}: ${formatPrice(price)}`}</li>
              ))}
            </ol>
          </Section>
        )}
      </div>
    </article>
  );
}

function Asks({ laptop: { _id, sales_status } }: { laptop: Laptop }) {
  return (
    <div className="laptop-asks">
      <ButtonLink to={`${paths.messages()}?about=${_id}`} look="plain">
        <Icon name="mail" className="size-4" />
        Ask the seller
      </ButtonLink>
      {sales_status === "available" && (
        <ButtonLink to={`${paths.offers()}?about=${_id}`} look="plain">
          <Icon name="tag" className="size-4" />
          Make an offer
        </ButtonLink>
      )}
    </div>
  );
}

type HowItWorksProps = Pick<Laptop, "location"> & Pick<LaptopDetailsProps, "complaintHours">;

function HowItWorks({ location, complaintHours }: HowItWorksProps) {
  return (
    <ul className="terms">
      <li>{`Pickup in ${location}`}</li>
      {complaintHours && (
        <li>{`We keep your money until ${complaintHours} hours after the handover`}</li>
      )}
      <li>{`${formatPrice(0)} buyer fee`}</li>
      <li>Hold it for free, pay by card, meet the seller</li>
    </ul>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-heading">
        {title}
      </h2>
      {children}
    </section>
  );
}

function SellerCard({ laptop }: { laptop: Laptop }) {
  const { seller_name, verify, sellerChecks, sellerRating, seller } = laptop;
  return (
    <section aria-label="Seller" className="rounded-box border border-line bg-base-100 px-5 py-4">
      <p className="seller">
        <Link to={sellerPath(seller._id)} className="link-hover">
          <bdi>{seller_name}</bdi>
        </Link>
        {verify && <VerifiedBadge checks={sellerChecks} />}
      </p>
      {verify && <p className="text-sm">{checksSentence(sellerChecks)}</p>}
      {sellerRating && <p className="text-sm">{ratingText(sellerRating)}</p>}
      <p className="text-muted text-sm">{sellerRecordText(seller)}</p>
    </section>
  );
}

function FactsTable({ laptop }: { laptop: Laptop }) {
  return (
    <table className="facts-table">
      <caption>Stated by the seller, unless marked as reported by the machine.</caption>
      <tbody>
        {factRows(laptop).map(({ label, value, isFromMachine }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td dir="auto">
              {value}
              {isFromMachine && <small> Reported by the machine</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type UnavailableStatus = Exclude<SalesStatus, "available">;

const texts: Record<UnavailableStatus, [title: string, text: string]> = {
  booked: ["On hold", "Someone has booked this laptop. If they don't pay, you can book it here."],
  sold: ["Sold", "This laptop has found a new owner."],
};

const ownTexts: typeof texts = {
  booked: ["On hold for you", "You have booked this laptop."],
  sold: ["Sold to you", "You bought this."],
};

type UnavailableProps = { laptop: Laptop; status: UnavailableStatus };

/** The server's page is the same for everyone. The browser adds the reader's own deal. */
function Unavailable({ laptop, status }: UnavailableProps) {
  const own = useOwnDeal(laptop);
  const [title, text] = (own ? ownTexts : texts)[status];
  return (
    <p className="rounded-field bg-secondary px-4 py-3 text-secondary-content">
      <strong>{title}.</strong> {text}
      {own && (
        <>
          {" "}
          <TextLink to={paths.myOrders()}>My Orders</TextLink>
        </>
      )}
      {/* The member's own booking has the description without masked contact details. */}
      {own && own.description !== laptop.description && (
        <span className="user-text mt-2 block whitespace-pre-line">{own.description}</span>
      )}
    </p>
  );
}

/** The laptop in the member's own booking; undefined if they neither hold nor bought it. */
function useOwnDeal({ _id }: Laptop) {
  const session = useSession();
  const { data = [] } = useInfiniteQuery({
    ...listOf(listBookings, { params: { email: session?.user.email ?? "" } }),
    enabled: Boolean(session),
  });
  return data.find(
    ({ bookingProduct, state }) =>
      bookingProduct._id === _id && ["held", "paid", "completed"].includes(state),
  )?.bookingProduct;
}

function ShareButton({ laptop: { _id, product_name } }: { laptop: Laptop }) {
  const share = async () => {
    const url = `${location.origin}${paths.laptop(_id, product_name)}`;
    try {
      if (navigator.share) return await navigator.share({ title: product_name, url });
      await navigator.clipboard.writeText(url);
      toast.success("Link copied.");
    } catch (error) {
      // Closing the share sheet isn't an error.
      if ((error as Error).name !== "AbortError")
        toast.error("We couldn't share this. Copy the address of this page instead.");
    }
  };
  return (
    <Button look="quiet" className="needs-scripts" onClick={() => void share()}>
      <Icon name="share-2" className="size-4" />
      Share
    </Button>
  );
}
