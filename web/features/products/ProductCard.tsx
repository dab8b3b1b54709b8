import { useId } from "react";
import { Link } from "react-router";
import { conditionDescriptions, conditions, type Product } from "#contract/products.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { formatDate, formatMonths } from "#web/ui/format.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { UserText } from "#web/ui/UserText.tsx";
import { BookAndReport, useMayBuy } from "./BookAndReport.tsx";
import { cardPhotoSizes } from "./card-photo-sizes.ts";
import { Description } from "./Description.tsx";
import { Prices } from "./Prices.tsx";
import { trackViews } from "./track-views.ts";
import { VerifiedBadge } from "./VerifiedBadge.tsx";

type ProductCardProps = {
  product: Product;
  /** Whether the card's photo is likely the largest thing in the first view. */
  first: boolean;
  /** Whether the signed-in seller listed the laptop. */
  own: boolean;
  onBook: () => void;
  onReport: () => void;
};

/**
 * A product card (specification 2, Product card). It has few elements, because a page has many
 * cards.
 */
export function ProductCard({ product, first, own, onBook, onReport }: ProductCardProps) {
  const { product_name, description, img, img_preview } = product;
  const id = useId();
  const mayBuy = useMayBuy();
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
      <Prices resale={product.resale_price} original={product.original_price} />
      <Condition condition={product.condition} />
      <Facts product={product} />
      <Description text={description} of={product_name} />
      <CardFooter product={product} nameId={id} own={own} onBook={onBook} onReport={onReport} />
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

export function Condition({ condition }: Pick<Product, "condition">) {
  return (
    <dl className="condition">
      <dt>Condition</dt>
      <dd data-bars={conditions.length - conditions.indexOf(condition)}>{condition}</dd>
      <dd title={conditionDescriptions[condition]}>{conditionDescriptions[condition]}</dd>
    </dl>
  );
}

/** Shown in two columns: year and place, duration and date. */
function Facts({ product }: { product: Product }) {
  const { yearOf_purchase, use_duration, location, postedAt } = product;
  return (
    <dl className="facts">
      <dt>Purchase Year</dt>
      <dd>{yearOf_purchase}</dd>
      <dt>Location</dt>
      <dd dir="auto">{location}</dd>
      <dt>Use Duration</dt>
      <dd>{formatMonths(use_duration)}</dd>
      <dt>Date of Post</dt>
      <dd>{formatDate(postedAt)}</dd>
    </dl>
  );
}

type CardFooterProps = Pick<ProductCardProps, "product" | "own" | "onBook" | "onReport"> & {
  nameId: string;
};

/** The seller, and the book and report buttons. */
function CardFooter({ product, ...actions }: CardFooterProps) {
  const { seller_name, verify, sellerChecks } = product;
  return (
    <footer className="card-footer">
      <p className="seller">
        <UserText>{seller_name}</UserText>
        {verify && <VerifiedBadge checks={sellerChecks} />}
      </p>
      <BookAndReport {...actions} />
    </footer>
  );
}
