import { lazy, type ReactNode, Suspense, useId } from "react";
import { Link } from "react-router";
import type { FairPriceRange } from "#contract/fair-price.ts";
import type { Laptop } from "#contract/laptops.ts";
import { sellerPath } from "#contract/page-paths.ts";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { useSession } from "#web/auth/session.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { checksSentence } from "#web/domain/sellers/seller-checks.ts";
import { ratingText, replyTimeText } from "#web/domain/sellers/seller-texts.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { formatDate, formatMonthAndYear } from "#web/ui/format.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { toast } from "#web/ui/toast.ts";
import { BookButton, ReportButton, useMayBuy, useWhyDisabled, Why } from "./BookAndReport.tsx";
import { factRows } from "./fact-rows.ts";
import { textOfRange } from "./fair-price-text.ts";
import { LaptopPhotos } from "./LaptopPhotos.tsx";
import { Prices } from "./Prices.tsx";
import { Condition } from "./ProductCard.tsx";
import { trackViews } from "./track-views.ts";
import { UnavailableNote, type UnavailableStatus } from "./UnavailableNote.tsx";
import { VerifiedBadge } from "./VerifiedBadge.tsx";

/** Loaded on demand, because only the seller sees it. */
const OwnListing = lazy(() => import("./OwnListing.tsx"));

type LaptopDetailsProps = {
  laptop: Laptop;
  own: boolean;
  /** How many hours the shop keeps the money after the handover; undefined if unknown. */
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
  const why = useWhyDisabled(false);
  return (
    <article className="laptop" data-product={_id} ref={mayBuy ? trackViews : undefined}>
      <LaptopPhotos laptop={laptop} />
      <div className="laptop-summary flex flex-col gap-5">
        <h1 id={id} className="text-title">
          <ProductName name={product_name} />
        </h1>
        {sales_status !== "available" && <Unavailable laptop={laptop} status={sales_status} />}
        <Prices resale={laptop.resale_price} original={laptop.original_price} />
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
                <BookButton nameId={id} why={why} onPress={onBook} />
                <Why nameId={id} why={why} />
              </div>
              <BookWithoutScripts laptop={laptop} />
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
            <ReportButton nameId={id} why={why} onPress={onReport} />
            {sales_status !== "available" && <Why nameId={id} why={why} />}
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

/** If the visitor enables scripts, the link opens the booking dialog. */
function BookWithoutScripts({ laptop: { _id, product_name } }: { laptop: Laptop }) {
  return (
    <div className="unscripted-actions">
      <p className="mb-3">Booking needs JavaScript, even if you are logged in.</p>
      <a href={`${paths.laptop(_id, product_name)}?book=${_id}`} className={buttonClass()}>
        Book Now
      </a>
    </div>
  );
}

function Asks({ laptop: { _id, sales_status } }: { laptop: Laptop }) {
  return (
    <div className="laptop-asks">
      <Link to={`${paths.messages()}?about=${_id}`} className={buttonClass({ look: "plain" })}>
        <Icon name="mail" className="size-4" />
        Ask the seller
      </Link>
      {sales_status === "available" && (
        <Link to={`${paths.offers()}?about=${_id}`} className={buttonClass({ look: "plain" })}>
          <Icon name="tag" className="size-4" />
          Make an offer
        </Link>
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
  const { memberSince, sold, repliesWithinHours } = seller;
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
      <p className="text-muted text-sm">
        {`Member since ${formatMonthAndYear(memberSince)}. `}
        {sold === 0
          ? "No laptop sold here yet."
          : `${sold} ${sold === 1 ? "laptop" : "laptops"} sold here.`}
        {repliesWithinHours !== null && ` ${replyTimeText(repliesWithinHours)}.`}
      </p>
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

function FairPrice({ price, range }: { price: number; range: FairPriceRange }) {
  const { low, high } = range;
  const place = price < low ? "Below" : price > high ? "Above" : "Within";
  return (
    <p className="text-sm">
      <strong>{`${place} the usual price.`}</strong>{" "}
      <span className="text-muted">{`${textOfRange(range)}: most for ${formatPrice(low)} to ${formatPrice(high)}.`}</span>
    </p>
  );
}

const texts: Record<UnavailableStatus, [title: string, text: string]> = {
  booked: ["On hold", "Someone has booked this laptop. If they don't pay, you can book it here."],
  sold: ["Sold", "This laptop has found a new owner."],
};

const OwnDeal = lazy(() => import("./OwnDeal.tsx"));

type UnavailableProps = { laptop: Product; status: UnavailableStatus };

/** The server's page is the same for everyone. The browser adds the reader's own deal. */
function Unavailable({ laptop, status }: UnavailableProps) {
  const isMember = Boolean(useSession());
  const [title, text] = texts[status];
  const forOthers = <UnavailableNote title={title}>{text}</UnavailableNote>;
  if (!isMember) return forOthers;
  return (
    <Suspense fallback={forOthers}>
      <OwnDeal laptop={laptop} status={status} forOthers={forOthers} />
    </Suspense>
  );
}

/** Copies the laptop's URL if the device has no share sheet. */
function ShareButton({ laptop: { _id, product_name } }: { laptop: Laptop }) {
  const share = async () => {
    const url = `${location.origin}${paths.laptop(_id, product_name)}`;
    try {
      if (navigator.share) return await navigator.share({ title: product_name, url });
      await navigator.clipboard.writeText(url);
      toast.success("Link copied.");
    } catch (error) {
      // Closing the share sheet isn't an error.
      if (!(error instanceof DOMException && error.name === "AbortError"))
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
