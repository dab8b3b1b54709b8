import { useRouteLoaderData } from "react-router";
import type { Laptop } from "#contract/laptops.ts";
import { shopCurrency } from "#contract/price.ts";
import { paths } from "#web/paths.ts";
import { EmptyJsonLd, JsonLdScript } from "./JsonLdScript.tsx";

/** The laptop as structured data for search engines, which read only the server's markup. */
export const LaptopJsonLd = import.meta.env.SSR ? JsonLd : EmptyJsonLd;

function JsonLd({ laptop }: { laptop: Laptop }) {
  const origin = useRouteLoaderData<{ origin: string }>("root")?.origin ?? "";
  return <JsonLdScript data={structuredData(laptop, origin)} />;
}

const availability = { available: "InStock", booked: "LimitedAvailability", sold: "SoldOut" };

/** schema.org's Product with its Offer, and the BreadcrumbList above it. */
export function structuredData(laptop: Laptop, origin: string) {
  const { _id, category, product_name, facts, resale_price, images } = laptop;
  const url = `${origin}${paths.laptop(_id, product_name)}`;
  const above = [
    { name: "Home", item: `${origin}${paths.home()}` },
    { name: category, item: `${origin}${paths.categoryProducts(laptop.product_categoryId)}` },
    { name: product_name, item: url },
  ];
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
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
      },
      {
        "@type": "BreadcrumbList",
        itemListElement: above.map((entry, index) => ({
          "@type": "ListItem",
          position: index + 1,
          ...entry,
        })),
      },
    ],
  };
}
