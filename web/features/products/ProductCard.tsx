import { type ReactNode, useCallback, useId, useState } from "react";
import { Link } from "react-router";
import { formatPrice, savings } from "#contract/price.ts";
import { conditionDescriptions, conditions, type Product } from "#contract/products.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { formatDate, formatMonths } from "#web/ui/format-dates-and-counts.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { useShop } from "#web/ui/use-shop.ts";
import { BookButton, ReportButton, useMayBuy, useWhyDisabled, Why } from "./BookAndReport.tsx";
import { trackViews } from "./track-views.ts";
import { VerifiedBadge } from "./VerifiedBadge.tsx";

/** The `sizes` attribute for a card's photo, in grids of one, two or three columns. */
export const cardPhotoSizes = "(width < 46rem) 100vw, 24rem";

type ProductCardProps = {
  product: Product;
  /** Whether the card's photo is likely the largest thing above the fold. */
  first: boolean;
  own: boolean;
  onBook: () => void;
  onReport: () => void;
};

/** Has few elements, because a page has many cards (specification 2.5). */
export function ProductCard({ product, first, own, onBook, onReport }: ProductCardProps) {
  const { product_name, description, img, img_preview } = product;
  const id = useId();
  const mayBuy = useMayBuy();
  const action = { nameId: id, why: useWhyDisabled(own) };
  return (
    <article
      className="product-card"
      data-product={product._id}
      ref={mayBuy ? trackViews : undefined}
    >
      <Photo
        img={img}
        preview={img_preview}
        alt={product_name}
        eager={first}
        first={first}
        sizes={cardPhotoSizes}
      />
      <h3 id={id}>
        <Link to={paths.laptop(product._id, product_name)} className="link-hover">
          <ProductName name={product_name} />
        </Link>
      </h3>
      <Prices product={product} />
      <Condition condition={product.condition} battery={product.batteryHealth}>
        <dt>Location</dt>
        <dd dir="auto">{product.location}</dd>
      </Condition>
      <Seller product={product} />
      <Facts product={product} />
      <Description text={description} of={product_name} />
      <footer className="card-footer">
        <ReportButton {...action} onPress={onReport} />
        <BookButton {...action} onPress={onBook} />
        <Why {...action} />
      </footer>
      <input
        type="checkbox"
        name="ids"
        value={product._id}
        form="compare"
        aria-label="Compare"
        aria-describedby={id}
        className="card-compare"
      />
    </article>
  );
}

type PricesProps = { product: Pick<Product, "resale_price" | "original_price"> };

export function Prices({ product }: PricesProps) {
  const { resale_price: resale, original_price: original } = product;
  const saved = savings(product);
  const share = Math.floor((saved / original) * 100);
  return (
    <dl className="prices">
      <dt>Resale Price</dt>
      <dd className="price">{formatPrice(resale)}</dd>
      <dt>Original Price</dt>
      <dd className={saved > 0 ? "original struck" : "original"}>
        {/* Long prices may wrap after the currency code. */}
        {formatPrice(original).replace("\xa0", " ")}
      </dd>
      {saved > 0 && (
        <dd className="savings">
          {`Save ${formatPrice(saved)}${share > 0 ? ` (${share}%)` : ""}`}
        </dd>
      )}
    </dl>
  );
}

type ConditionProps = Pick<Product, "condition"> & {
  battery: Product["batteryHealth"];
  children?: ReactNode;
};

export function Condition({ condition, battery, children }: ConditionProps) {
  const { [condition]: explanation } = useShop().conditions ?? conditionDescriptions;
  return (
    <dl className="condition">
      <dt>Condition</dt>
      <dd data-bars={conditions.length - conditions.indexOf(condition)}>{condition}</dd>
      <dd title={explanation}>{explanation}</dd>
      {battery && (
        <>
          <dt>Battery</dt>
          <dd>{`${battery}%`}</dd>
        </>
      )}
      {children}
    </dl>
  );
}

function Seller({ product }: { product: Product }) {
  const { seller_name, verify, sellerChecks, sellerRating } = product;
  return (
    <p className="seller">
      <bdi>{seller_name}</bdi>
      {sellerRating && (
        <span title="Rating by buyers, and the number of reviews">
          {`★ ${sellerRating.stars.toFixed(1)} (${sellerRating.reviews})`}
        </span>
      )}
      {verify && <VerifiedBadge checks={sellerChecks} />}
    </p>
  );
}

function Facts({ product }: { product: Product }) {
  const { yearOf_purchase, use_duration, postedAt } = product;
  return (
    <dl className="facts">
      <dt>Purchase Year</dt>
      <dd>{yearOf_purchase}</dd>
      <dt>Use Duration</dt>
      <dd>{formatMonths(use_duration)}</dd>
      <dt>Date of Post</dt>
      <dd>{formatDate(postedAt)}</dd>
    </dl>
  );
}

/** Hovering or a More button shows the full text (specification 2.5). */
function Description({ text, of }: { text: string; of: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  const watchCut = useCallback((lines: HTMLParagraphElement) => {
    const watch = new ResizeObserver(() => setCut(lines.scrollHeight > lines.clientHeight));
    watch.observe(lines);
    return () => watch.disconnect();
  }, []);
  return (
    <div className="description">
      <p
        ref={watchCut}
        dir="auto"
        title={isCut && !isOpen ? text : undefined}
        className={isOpen ? "whitespace-pre-line" : "line-clamp-2"}
      >
        {text}
      </p>
      {(isCut || isOpen) && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-description={of}
          className="link font-medium"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Less" : "More"}
        </button>
      )}
    </div>
  );
}
