import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouteLoaderData } from "react-router";
import { listCategoryProducts } from "#contract/categories.ts";
import type { Product } from "#contract/products.ts";
import { listOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { EmptyJsonLd, JsonLdScript } from "./JsonLdScript.tsx";

type ListJsonLdProps = { products: Product[] };

/** The laptops of a list as structured data, for search engines. */
export const ListJsonLd = import.meta.env.SSR ? JsonLd : EmptyJsonLd;

/** The first page of a category as structured data. */
export const CategoryJsonLd = import.meta.env.SSR ? OfCategory : EmptyJsonLd;

function OfCategory({ id }: { id: string }) {
  const { data: products = [] } = useInfiniteQuery(
    listOf(listCategoryProducts, { params: { id } }),
  );
  return <JsonLd products={products} />;
}

function JsonLd({ products }: ListJsonLdProps) {
  const origin = useRouteLoaderData<{ origin: string }>("root")?.origin ?? "";
  if (products.length === 0) return <EmptyJsonLd />;
  return <JsonLdScript data={listData(products, origin)} />;
}

/** schema.org's ItemList. Each entry links to the laptop's page, which has the details. */
export function listData(products: Product[], origin: string) {
  return {
    "@context": "https://schema.org",
    "@type": "ItemList",
    itemListElement: products.map(({ _id, product_name }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: product_name,
      url: `${origin}${paths.laptop(_id, product_name)}`,
    })),
  };
}
