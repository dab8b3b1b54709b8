import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouteLoaderData } from "react-router";
import { listCategoryProducts } from "#contract/categories.ts";
import type { Laptop } from "#contract/laptop-page.ts";
import { shopCurrency } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { listOf } from "#web/api/api.ts";
import { inScript } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";

// Structured data for search engines, which read it in the server's markup.

/** A laptop as schema.org's Product with its Offer, and the page's BreadcrumbList. */
export const LaptopJsonLd = import.meta.env.SSR ? LaptopScript : EmptyScript;

export const ListJsonLd = import.meta.env.SSR ? ListScript : EmptyScript;

export const CategoryJsonLd = import.meta.env.SSR ? CategoryScript : EmptyScript;

const type = "application/ld+json";

function Script({ data }: { data: object }) {
  return (
    <script type={type} suppressHydrationWarning>
      {inScript({ "@context": "https://schema.org", ...data })}
    </script>
  );
}

/** Renders an empty script until hydration, because Trusted Types forbid creating script text. */
function EmptyScript(_: object) {
  if (useHydrated()) return null;
  return (
    <script type={type} suppressHydrationWarning>
      {""}
    </script>
  );
}

function useOrigin(): string {
  return useRouteLoaderData<{ origin: string }>("root")?.origin ?? "";
}

const availability = { available: "InStock", booked: "LimitedAvailability", sold: "SoldOut" };

function LaptopScript({ laptop }: { laptop: Laptop }) {
  const origin = useOrigin();
  const { _id, category, product_name, facts, resale_price, images } = laptop;
  const url = `${origin}${paths.laptop(_id, product_name)}`;
  const product = {
    "@type": "Product",
    "@id": url,
    name: product_name,
    image: images,
    category: "Laptops",
    ...(facts.brand && { brand: { "@type": "Brand", name: facts.brand } }),
    ...(facts.model_line && { model: facts.model_line }),
    itemCondition: "https://schema.org/UsedCondition",
    offers: {
      "@type": "Offer",
      url,
      price: resale_price.toFixed(2),
      priceCurrency: shopCurrency(),
      availability: `https://schema.org/${availability[laptop.sales_status]}`,
      itemCondition: "https://schema.org/UsedCondition",
      seller: { "@type": "Person", name: laptop.seller_name },
    },
  };
  const above = [
    { name: "Home", item: `${origin}${paths.home()}` },
    { name: category, item: `${origin}${paths.categoryProducts(laptop.product_categoryId)}` },
    { name: product_name, item: url },
  ];
  return (
    <Script
      data={{
        "@graph": [product, { "@type": "BreadcrumbList", itemListElement: numbered(above) }],
      }}
    />
  );
}

function ListScript({ products }: { products: Product[] }) {
  const origin = useOrigin();
  if (products.length === 0) return <EmptyScript />;
  const entries = products.map(({ _id, product_name }) => ({
    name: product_name,
    url: `${origin}${paths.laptop(_id, product_name)}`,
  }));
  return <Script data={{ "@type": "ItemList", itemListElement: numbered(entries) }} />;
}

function CategoryScript({ id }: { id: string }) {
  const { data: products = [] } = useInfiniteQuery(
    listOf(listCategoryProducts, { params: { id } }),
  );
  return <ListScript products={products} />;
}

function numbered(entries: object[]) {
  return entries.map((entry, index) => ({ "@type": "ListItem", position: index + 1, ...entry }));
}
