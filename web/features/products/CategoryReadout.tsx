import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { listCategories, listCategoryProducts } from "#contract/categories.ts";
import type { Product } from "#contract/products.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { formatDate, formatMonths } from "#web/ui/format.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { ProductName } from "#web/ui/ProductName.tsx";
import { CategoryHeading } from "./CategoryHeading.tsx";
import { cardPhotoSizes } from "./card-photo-sizes.ts";
import { Prices } from "./Prices.tsx";

/** A category's laptops for browsers without scripts; rendered on the server only. */
export function CategoryReadout({ id }: { id: string }) {
  const { data: categories = [] } = useQuery(queryOf(listCategories, {}));
  const { data: products = [] } = useInfiniteQuery(
    listOf(listCategoryProducts, { params: { id } }),
  );
  return (
    <>
      <CategoryHeading categories={categories} id={id} />
      <div className="product-grid">
        {products.map((product) => (
          <ReadoutCard key={product._id} product={product} />
        ))}
      </div>
    </>
  );
}

function ReadoutCard({ product }: { product: Product }) {
  const { product_name, condition, yearOf_purchase, use_duration, location, postedAt } = product;
  const from = `${paths.categoryProducts(product.product_categoryId)}?book=${product._id}`;
  const facts = [condition, yearOf_purchase, formatMonths(use_duration), location];
  return (
    <article className="product-card">
      <Photo img={product.img} alt={product_name} sizes={cardPhotoSizes} />
      <h3 className="text-heading">
        <a href={paths.laptop(product._id, product_name)} className="link-hover">
          <ProductName name={product_name} />
        </a>
      </h3>
      <Prices resale={product.resale_price} original={product.original_price} />
      <p dir="auto">{facts.join(" · ")}</p>
      <p className="description line-clamp-2" dir="auto">
        {product.description}
      </p>
      <p className="seller">{`${product.seller_name}, ${formatDate(postedAt)}`}</p>
      <a href={paths.login(from)} className={buttonClass()}>
        Book Now
      </a>
    </article>
  );
}
