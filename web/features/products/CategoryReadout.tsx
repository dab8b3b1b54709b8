import { useInfiniteQuery } from "@tanstack/react-query";
import { listCategoryProducts } from "#contract/categories.ts";
import type { Product } from "#contract/products.ts";
import { listOf } from "#web/api/api.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { formatDate, formatMonths } from "#web/ui/format-dates-and-counts.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { shorten } from "#web/ui/shorten.ts";
import { cardPhotoSizes, Prices } from "./ProductCard.tsx";

/** In characters: more than the two visible lines can hold. */
const maxDescriptionLength = 160;

/** A category's laptops for browsers without scripts; rendered on the server only. */
export function CategoryReadout({ id }: { id: string }) {
  const { data: products = [] } = useInfiniteQuery(
    listOf(listCategoryProducts, { params: { id } }),
  );
  return (
    <div className="product-grid">
      {products.map((product) => (
        <ReadoutCard key={product._id} product={product} />
      ))}
    </div>
  );
}

function ReadoutCard({ product }: { product: Product }) {
  const { product_name, condition, yearOf_purchase, use_duration, location, postedAt } = product;
  const page = paths.laptop(product._id, product_name);
  const facts = [condition, yearOf_purchase, formatMonths(use_duration), location];
  return (
    <article className="product-card">
      <Photo img={product.img} alt={product_name} sizes={cardPhotoSizes} />
      <h3>
        <a href={page} className="link-hover">
          <ProductName name={product_name} />
        </a>
      </h3>
      <Prices product={product} />
      <p dir="auto">{facts.join(" · ")}</p>
      <p className="description line-clamp-2" dir="auto">
        {shorten(product.description, maxDescriptionLength)}
      </p>
      <p className="seller">{`${product.seller_name}, ${formatDate(postedAt)}`}</p>
      <a href={page} className={buttonClass()}>
        Book Now
      </a>
    </article>
  );
}
